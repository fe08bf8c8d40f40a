import {
  addFinalizer,
  type Client,
  type Context,
  containsFinalizer,
  createOrUpdate,
  enqueueRequestsFromMapFunc,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  type Reconciler,
  type Request,
  removeFinalizer,
} from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { Website } from "./kinds.ts";

const finalizer = "web.example.com/routes";
const target = "ingress";
/** Labels replace the owner reference, which can't lead to another namespace. */
const labels = { namespace: "web.example.com/namespace", name: "web.example.com/name" };

// +kubebuilder:rbac:groups=web.example.com,resources=websites,verbs=get;list;watch;update
// +kubebuilder:rbac:groups="",resources=configmaps,verbs=get;list;watch;create;update;deletecollection

/** Keeps a ConfigMap in another namespace than that of the Website, and removes it with a finalizer. */
export class RouteReconciler implements Reconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async reconcile(_ctx: Context, req: Request): Promise<void> {
    let website = await ignoreNotFound(this.client.get(Website, req));
    if (!website) return;
    const { namespace = "", name, uid } = website.metadata;
    const own = { [labels.namespace]: namespace, [labels.name]: name };

    if (website.metadata.deletionTimestamp) {
      if (!containsFinalizer(website, finalizer)) return;
      await this.client.deleteAllOf(ConfigMap, { namespace: target, labels: own });
      removeFinalizer(website, finalizer);
      await this.client.update(website);
      return;
    }
    if (addFinalizer(website, finalizer)) website = await this.client.update(website);

    // The UID, because two namespaces can have a Website of the same name.
    const metadata = { namespace: target, name: `website-${uid}` };
    const route: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata };
    const { hosts = [] } = website.spec;
    await createOrUpdate(this.client, route, (found) => {
      found.metadata.labels = { ...found.metadata.labels, ...own };
      found.data = { hosts: hosts.join(",") };
    });
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    const websiteOf = enqueueRequestsFromMapFunc<ConfigMap>((_ctx, { metadata }) => {
      const { [labels.namespace]: namespace, [labels.name]: name } = metadata.labels ?? {};
      return name === undefined ? [] : [{ namespace, name }];
    });
    await newControllerManagedBy(mgr).for(Website).watches(ConfigMap, websiteOf).complete(this);
  }
}
