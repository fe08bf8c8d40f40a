// The controller of the front page. Its test runs it, and the README and the landing page quote it.
import {
  type ApplyConfiguration,
  type Client,
  type Context,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  type Reconciler,
  type Request,
  setControllerReference,
} from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { Website } from "./website-types.ts";

// +kubebuilder:rbac:groups=web.example.com,resources=websites,verbs=get;list;watch
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;patch

export class WebsiteReconciler implements Reconciler {
  private readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async reconcile(_ctx: Context, key: Request): Promise<void> {
    const website = await ignoreNotFound(this.client.get(Website, key));
    if (!website) return;
    const labels = { website: key.name };
    const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: website.spec.image }] } };
    const deployment: ApplyConfiguration<Deployment> = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { namespace: key.namespace, name: key.name },
      spec: { replicas: website.spec.replicas, selector: { matchLabels: labels }, template },
    };
    setControllerReference(website, deployment);
    await this.client.apply(deployment, { fieldOwner: "website" });
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Website).owns(Deployment).complete(this);
  }
}
