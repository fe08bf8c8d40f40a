import { createHash } from "node:crypto";
import {
  type ApplyConfiguration,
  applyIfChanged,
  type Client,
  type Context,
  ignoreAlreadyExists,
  ignoreNotFound,
  isStatusConditionTrue,
  type Manager,
  type Named,
  newControllerManagedBy,
  patchStatus,
  type Reconciler,
  type Request,
  type Stored,
  setControllerReference,
  setStatusFromChildren,
} from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { Job } from "@kubewright/runtime/api/batch/v1";
import { Website } from "./kinds.ts";

// +kubebuilder:rbac:groups=web.example.com,resources=websites,verbs=get;list;watch
// +kubebuilder:rbac:groups=web.example.com,resources=websites/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=web.example.com,resources=websites/finalizers,verbs=update
// +kubebuilder:rbac:groups=batch,resources=jobs,verbs=get;list;watch;create
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;patch

/** Migrates the data with a Job per image, and rolls the image out only after the Job has succeeded. */
export class MigratingReconciler implements Reconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async reconcile(_ctx: Context, req: Request): Promise<void> {
    const website = await ignoreNotFound(this.client.get(Website, req));
    if (!website || website.metadata.deletionTimestamp) return;

    const wanted = migration(website);
    let job = await ignoreNotFound(this.client.get(Job, { ...req, name: wanted.metadata.name }));
    // The name is the same for the same image, so a lost response or an old read creates no second Job.
    if (!job) job = (await ignoreAlreadyExists(this.client.create(wanted))) ?? undefined;
    const deployment =
      job && isComplete(job)
        ? await applyIfChanged<Deployment>(this.client, desired(website), { fieldOwner: "websites" })
        : undefined;
    await patchStatus(this.client, website, (copy) => {
      setStatusFromChildren(copy, [job, deployment]);
    });
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Website).owns(Job).owns(Deployment).complete(this);
  }
}

/** Whether a Job has succeeded. For `computeStatus`, a running one is `Current`, too. */
function isComplete(job: Stored<Job>): boolean {
  return isStatusConditionTrue(job, "Complete");
}

function migration(website: Stored<Website>): Named<Job> {
  const { name, namespace } = website.metadata;
  const { image } = website.spec;
  const hash = createHash("sha256").update(image).digest("hex").slice(0, 10);
  const container = { name: "migrate", image, args: ["migrate"] };
  const job: Named<Job> = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: `${name}-${hash}`, namespace },
    spec: { backoffLimit: 3, template: { spec: { restartPolicy: "Never", containers: [container] } } },
  };
  setControllerReference(website, job);
  return job;
}

function desired(website: Stored<Website>): ApplyConfiguration<Deployment> {
  const { name, namespace } = website.metadata;
  const labels = { "app.kubernetes.io/instance": name };
  const deployment: ApplyConfiguration<Deployment> = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "website", image: website.spec.image }] } },
    },
  };
  setControllerReference(website, deployment);
  return deployment;
}
