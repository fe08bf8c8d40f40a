import type { KubernetesObject } from "../api/index.ts";
import type { Context } from "../context.ts";
import type { AddOnlyQueue, AddOptions } from "../queue/queue.ts";
import { type Request, requestKey } from "../request.ts";
import { createPriority, type EventHandler, reasonOf, updatePriority, updateReason } from "./event-handler.ts";

/** A request as map functions may write it: without a namespace for cluster-scoped objects. */
export type MappedRequest = Omit<Request, "namespace"> & { namespace?: string };

/** Names the objects to reconcile because of an event's object, which is a frozen object of the cache. */
export type MapFunc<T extends KubernetesObject> = (
  ctx: Context,
  object: T,
) => readonly MappedRequest[] | Promise<readonly MappedRequest[]>;

/**
 * Enqueues what a function names. On updates it is asked for the old and the new object.
 *
 * @example
 * builder.watches(Pod, enqueueRequestsFromMapFunc((ctx, pod) => [{ namespace: pod.metadata?.namespace, name: "all" }]));
 */
export function enqueueRequestsFromMapFunc<T extends KubernetesObject>(map: MapFunc<T>): EventHandler<T> {
  async function addAll(ctx: Context, objects: readonly T[], queue: AddOnlyQueue<Request>, add: AddOptions) {
    const seen = new Set<string>();
    for (const object of objects) {
      for (const mapped of await map(ctx, object)) {
        const request: Request = { ...mapped, namespace: mapped.namespace ?? "" };
        const key = requestKey(request);
        if (seen.has(key)) continue;
        seen.add(key);
        queue.add(request, add);
      }
    }
  }

  return {
    create: (ctx, event, queue) =>
      addAll(ctx, [event.object], queue, {
        priority: createPriority(event),
        reason: reasonOf("create", event.object),
      }),
    update: (ctx, event, queue) =>
      addAll(ctx, event.oldObject === event.object ? [event.object] : [event.oldObject, event.object], queue, {
        priority: updatePriority(event),
        reason: updateReason(event),
      }),
    delete: (ctx, event, queue) => addAll(ctx, [event.object], queue, { reason: reasonOf("delete", event.object) }),
    generic: (ctx, event, queue) => addAll(ctx, [event.object], queue, { reason: reasonOf("generic", event.object) }),
  };
}
