import {
  type Client,
  type Context,
  enqueueRequestsFromMapFunc,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  type Reconciler,
  type Request,
} from "@kubewright/runtime";
import { Pod } from "@kubewright/runtime/api/core/v1";
import { ExampleA } from "#api/v1/index.ts";

// +kubebuilder:rbac:groups=example.linkinstars.com,resources=exampleas,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=example.linkinstars.com,resources=exampleas/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=example.linkinstars.com,resources=exampleas/finalizers,verbs=update
// +kubebuilder:rbac:groups=core,resources=pods,verbs=get;list;watch

/** ExampleAReconciler sets in the status of each ExampleA whether the cluster has a Pod of its group. */
export class ExampleAReconciler implements Reconciler {
  private readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async reconcile(ctx: Context, req: Request): Promise<void> {
    const example = await ignoreNotFound(this.client.get(ExampleA, req));
    if (!example) return;
    const { groupName } = example.spec;
    // List in all namespaces. The shared objects of the cache suffice, because this only reads them.
    const labels = groupName === undefined ? undefined : { group: groupName };
    const pods = labels ? (await this.client.list(Pod, { labels, shared: true })).items : [];
    const underControl = pods.length > 0;
    if (underControl === example.status?.underControl) return;
    await this.client.status.update({ ...example, status: { underControl } });
    ctx.log.info("updated the status", { underControl, pods: pods.map((pod) => pod.metadata.name) });
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr)
      .for(ExampleA)
      .named("examplea")
      .watches(
        Pod,
        enqueueRequestsFromMapFunc(async (_ctx, pod) => {
          const group = pod.metadata.labels?.group;
          if (group === undefined) return [];
          const { items } = await this.client.list(ExampleA, { shared: true });
          return items
            .filter(({ spec }) => spec.groupName === group)
            .map(({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }));
        }),
      )
      .complete(this);
  }
}
