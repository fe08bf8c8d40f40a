import {
  type Client,
  type Context,
  createOrUpdate,
  enqueueRequestsFromMapFunc,
  ignoreNotFound,
  type Manager,
  mergeFrom,
  newControllerManagedBy,
  newPredicateFuncs,
  type Reconciler,
  type Request,
  setControllerReference,
} from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { Order } from "../../api/v1/index.ts";

// +kubebuilder:rbac:groups=bench.kubewright.dev,resources=orders,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=bench.kubewright.dev,resources=orders/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=core,resources=configmaps,verbs=get;list;watch;create;update;patch;delete

/** OrderReconciler writes the ConfigMap of each Order. */
export class OrderReconciler implements Reconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  /** Restores the ConfigMap and records the generation. */
  async reconcile(_ctx: Context, req: Request): Promise<void> {
    const order = await ignoreNotFound(this.client.get(Order, req));
    if (!order) return;
    const { name, namespace, generation } = order.metadata;
    const configMap: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace } };
    await createOrUpdate(this.client, configMap, (current) => {
      current.data = { item: order.spec.item };
      setControllerReference(order, current);
    });
    if (order.status?.observedGeneration === generation) return;
    const before = mergeFrom(order);
    order.status = { observedGeneration: generation };
    await this.client.status.patch(order, before);
  }

  /**
   * Watches Orders, their ConfigMaps, and ConfigMaps that name an Order in an annotation. The predicate and the map function have a
   * mistake that is easy to make: they fail for some objects that the API server accepts.
   */
  async setupWithManager(mgr: Manager): Promise<void> {
    const hasOwner = newPredicateFuncs<Order>((order) => order.spec.owner!.name !== "");
    await newControllerManagedBy(mgr)
      .for(Order, { predicates: [hasOwner] })
      .owns(ConfigMap)
      .watches(
        ConfigMap,
        enqueueRequestsFromMapFunc((_ctx, configMap) => orderOf(configMap)),
      )
      .named("order")
      .complete(this);
  }
}

function orderOf(configMap: ConfigMap): Request[] {
  const reference = configMap.metadata?.annotations?.["bench.kubewright.dev/order"];
  if (reference === undefined) return [];
  const parts = reference.split("/");
  return [{ namespace: parts[0]!, name: parts[1]!.trim() }];
}
