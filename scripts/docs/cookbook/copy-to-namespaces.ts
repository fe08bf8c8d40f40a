import {
  type Client,
  type Context,
  createOrUpdate,
  enqueueRequestsFromMapFunc,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  type Reconciler,
  type Request,
  setControllerReference,
} from "@kubewright/runtime";
import { ConfigMap, Namespace } from "@kubewright/runtime/api/core/v1";
import { SharedConfig } from "./kinds.ts";

/** Namespaces with this label get the copies. */
const label = { "web.example.com/shared": "true" };

// +kubebuilder:rbac:groups=web.example.com,resources=sharedconfigs,verbs=get;list;watch
// +kubebuilder:rbac:groups=web.example.com,resources=sharedconfigs/finalizers,verbs=update
// +kubebuilder:rbac:groups="",resources=namespaces,verbs=get;list;watch
// +kubebuilder:rbac:groups="",resources=configmaps,verbs=get;list;watch;create;update

/** Copies a SharedConfig, which is cluster-scoped, to a ConfigMap in each selected namespace, also in new ones. */
export class SharedConfigReconciler implements Reconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async reconcile(_ctx: Context, req: Request): Promise<void> {
    const shared = await ignoreNotFound(this.client.get(SharedConfig, req));
    if (!shared || shared.metadata.deletionTimestamp) return;
    const { items } = await this.client.list(Namespace, { labels: label });
    for (const namespace of items) {
      // Nothing can be created in a namespace that is being deleted.
      if (namespace.metadata.deletionTimestamp) continue;
      const metadata = { namespace: namespace.metadata.name, name: shared.metadata.name };
      const copy: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata };
      await createOrUpdate(this.client, copy, (found) => {
        setControllerReference(shared, found);
        found.data = shared.spec.data;
      });
    }
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    const all = enqueueRequestsFromMapFunc<Namespace>(async () => {
      const { items } = await this.client.list(SharedConfig, { shared: true });
      return items.map(({ metadata: { name } }) => ({ name }));
    });
    await newControllerManagedBy(mgr).for(SharedConfig).owns(ConfigMap).watches(Namespace, all).complete(this);
  }
}
