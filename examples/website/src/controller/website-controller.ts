import {
  type ApplyConfiguration,
  type Client,
  type Context,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  patchStatus,
  type Reconciler,
  type Request,
  type Stored,
  setControllerReference,
  setStatusFromChildren,
} from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { Service } from "@kubewright/runtime/api/core/v1";
import { Website } from "#api/v1/index.ts";

// +kubebuilder:rbac:groups=web.example.com,resources=websites,verbs=get;list;watch
// +kubebuilder:rbac:groups=web.example.com,resources=websites/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=web.example.com,resources=websites/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;patch
// +kubebuilder:rbac:groups="",resources=services,verbs=get;list;watch;create;patch

/** WebsiteReconciler keeps a Deployment and a Service for each Website, and reports its state. */
export class WebsiteReconciler implements Reconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  /** Runs when a Website, its Deployment or its Service is created, changed or deleted. */
  async reconcile(_ctx: Context, req: Request): Promise<void> {
    const website = await ignoreNotFound(this.client.get(Website, req));
    // Kubernetes deletes the children of a deleted Website, because the Website owns them.
    if (!website || website.metadata.deletionTimestamp) return;

    const deployment = await this.client.apply(desiredDeployment(website), { fieldOwner: "website" });
    const service = await this.client.apply(desiredService(website), { fieldOwner: "website" });

    const address = `${service.metadata.name}.${service.metadata.namespace}.svc`;
    await patchStatus(this.client, website, (copy) => {
      copy.status = { ...copy.status, address, readyReplicas: deployment.status?.readyReplicas ?? 0 };
      // Ready when all Pods run the current image and are ready, not before.
      setStatusFromChildren(copy, [deployment, service]);
    });
  }

  /** Sets up the controller with the manager, and declares which objects trigger a reconcile. */
  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Website).owns(Deployment).owns(Service).named("website").complete(this);
  }
}

/** Returns the Deployment that serves a website. */
function desiredDeployment(website: Stored<Website>): ApplyConfiguration<Deployment> {
  const { name, namespace } = website.metadata;
  const { image, replicas, port = 80, pullPolicy } = website.spec;
  const labels = labelsOf(website);
  const deployment: ApplyConfiguration<Deployment> = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name: "website", image, imagePullPolicy: pullPolicy, ports: [{ containerPort: port }] }],
        },
      },
    },
  };
  setControllerReference(website, deployment);
  return deployment;
}

/** Returns the Service through which other Pods reach a website. */
function desiredService(website: Stored<Website>): ApplyConfiguration<Service> {
  const { name, namespace } = website.metadata;
  const labels = labelsOf(website);
  const service: ApplyConfiguration<Service> = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace, labels },
    spec: { selector: labels, ports: [{ port: 80, targetPort: website.spec.port ?? 80 }] },
  };
  setControllerReference(website, service);
  return service;
}

/** Returns the labels of the children, by which the Service selects the Pods. */
function labelsOf(website: Stored<Website>): Record<string, string> {
  return { "app.kubernetes.io/name": "website", "app.kubernetes.io/instance": website.metadata.name };
}
