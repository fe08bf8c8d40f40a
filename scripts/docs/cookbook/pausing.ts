import { type Client, ignoreNotFound, type Kind, type Reconciler } from "@kubewright/runtime";
import type { KubernetesObject } from "@kubewright/runtime/api";

/** While an object has this annotation with the value `true`, its controller changes nothing. */
export const paused = "web.example.com/paused";

/**
 * Returns a reconciler that leaves paused objects alone. A deletion continues, because a finalizer would block it otherwise.
 *
 * @param client - reads the object
 * @param kind - its kind
 * @param reconciler - runs for all other objects
 */
export function pausable<T extends KubernetesObject>(
  client: Client,
  kind: Kind<T>,
  reconciler: Reconciler,
): Reconciler {
  return {
    async reconcile(ctx, req) {
      const object = await ignoreNotFound(client.get(kind, req, { shared: true }));
      const { annotations, deletionTimestamp } = object?.metadata ?? {};
      if (annotations?.[paused] === "true" && !deletionTimestamp) return undefined;
      return reconciler.reconcile(ctx, req);
    },
  };
}
