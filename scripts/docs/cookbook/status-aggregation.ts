import {
  type Client,
  type Context,
  computeStatus,
  enqueueRequestsFromMapFunc,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  patchStatus,
  type Reconciler,
  type Request,
  setStatusFromChildren,
} from "@kubewright/runtime";
import { Fleet, Website } from "./kinds.ts";

// +kubebuilder:rbac:groups=web.example.com,resources=fleets;websites,verbs=get;list;watch
// +kubebuilder:rbac:groups=web.example.com,resources=fleets/status,verbs=get;update;patch

/** Summarizes the state of all Websites with the labels of a Fleet. */
export class FleetReconciler implements Reconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async reconcile(_ctx: Context, req: Request): Promise<void> {
    const fleet = await ignoreNotFound(this.client.get(Fleet, req));
    if (!fleet || fleet.metadata.deletionTimestamp) return;

    const { namespace } = fleet.metadata;
    const { items } = await this.client.list(Website, { namespace, labels: fleet.spec.selector, shared: true });
    const ready = items.filter((website) => computeStatus(website).status === "Current").length;
    await patchStatus(this.client, fleet, (copy) => {
      copy.status = { ...copy.status, total: items.length, ready };
      setStatusFromChildren(copy, items);
    });
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    // A Website can leave a Fleet, too: each change concerns all Fleets of its namespace.
    const fleetsOf = enqueueRequestsFromMapFunc<Website>(async (_ctx, { metadata: { namespace } }) => {
      const { items } = await this.client.list(Fleet, { namespace, shared: true });
      return items.map(({ metadata: { name } }) => ({ namespace, name }));
    });
    await newControllerManagedBy(mgr).for(Fleet).watches(Website, fleetsOf).complete(this);
  }
}
