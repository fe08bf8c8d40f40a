import { createHash } from "node:crypto";
import {
  type ApplyConfiguration,
  applyIfChanged,
  type Client,
  type Context,
  enqueueRequestsFromMapFunc,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  patchStatus,
  type Reconciler,
  type Request,
  setControllerReference,
  setReconciling,
  setStatusFromChildren,
} from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { Secret } from "@kubewright/runtime/api/core/v1";
import { Website } from "./kinds.ts";

/** The field of the index, by which a changed Secret finds its Websites. */
const credential = ".spec.credential";

// +kubebuilder:rbac:groups=web.example.com,resources=websites,verbs=get;list;watch
// +kubebuilder:rbac:groups=web.example.com,resources=websites/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=web.example.com,resources=websites/finalizers,verbs=update
// +kubebuilder:rbac:groups="",resources=secrets,verbs=get;list;watch
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;patch

/** Waits for the Secret that a Website references, and restarts its Pods if the Secret changes. */
export class RestartReconciler implements Reconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async reconcile(_ctx: Context, req: Request): Promise<void> {
    const website = await ignoreNotFound(this.client.get(Website, req));
    if (!website || website.metadata.deletionTimestamp) return;
    const { namespace, name } = website.metadata;
    const { credential: secretName = "", image } = website.spec;

    const secret = await ignoreNotFound(this.client.get(Secret, { namespace, name: secretName }));
    if (!secret) {
      // The watch of Secrets calls this again, so it needs no delay.
      await patchStatus(this.client, website, (copy) => {
        setReconciling(copy, { reason: "WaitingForSecret", message: `the Secret ${secretName} doesn't exist` });
      });
      return;
    }

    const entries = Object.entries(secret.data ?? {}).sort();
    const checksum = createHash("sha256").update(JSON.stringify(entries)).digest("hex");
    const labels = { "app.kubernetes.io/instance": name };
    const deployment: ApplyConfiguration<Deployment> = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { namespace, name },
      spec: {
        selector: { matchLabels: labels },
        template: {
          // A change of the template is a rollout.
          metadata: { labels, annotations: { "web.example.com/checksum": checksum } },
          spec: { containers: [{ name: "website", image, envFrom: [{ secretRef: { name: secretName } }] }] },
        },
      },
    };
    setControllerReference(website, deployment);
    const stored = await applyIfChanged<Deployment>(this.client, deployment, { fieldOwner: "websites" });
    await patchStatus(this.client, website, (copy) => {
      setStatusFromChildren(copy, [stored]);
    });
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    mgr.cache.indexField(Website, credential, ({ spec }) => (spec.credential ? [spec.credential] : []));
    const users = enqueueRequestsFromMapFunc<Secret>(async (_ctx, { metadata: { namespace, name } }) => {
      const { items } = await this.client.list(Website, { namespace, fields: { [credential]: name }, shared: true });
      return items.map(({ metadata }) => ({ namespace, name: metadata.name }));
    });
    await newControllerManagedBy(mgr).for(Website).owns(Deployment).watches(Secret, users).complete(this);
  }
}
