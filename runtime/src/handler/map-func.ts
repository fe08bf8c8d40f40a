import type { KubernetesObject } from "../api/index.ts";
import type { Context } from "../context.ts";
import type { AddOnlyQueue } from "../queue/queue.ts";
import { type Request, requestKey } from "../request.ts";
import { withLowPriorityWhenUnchanged } from "./defaults.ts";
import type { EventHandler } from "./event-handler.ts";

/** A request as map functions may write it: without a namespace for cluster-scoped objects. */
export type MappedRequest = Omit<Request, "namespace"> & { namespace?: string };

/** Names the objects to reconcile because of an event's object, which is a frozen object of the cache. */
export type MapFunc<T extends KubernetesObject, R = MappedRequest> = (
  ctx: Context,
  object: T,
) => readonly R[] | Promise<readonly R[]>;

/**
 * Enqueues what a function names. On updates it is asked for the old and the new object.
 *
 * @example
 * builder.watches(Pod, enqueueRequestsFromMapFunc((ctx, pod) => [{ namespace: pod.metadata?.namespace, name: "all" }]));
 */
export function enqueueRequestsFromMapFunc<T extends KubernetesObject>(map: MapFunc<T>): EventHandler<T> {
  return typedEnqueueRequestsFromMapFunc<T, Request>(async (ctx, object) => {
    const mapped = await map(ctx, object);
    return mapped.map((request) => ({ ...request, namespace: request.namespace ?? "" }));
  });
}

/**
 * As {@link enqueueRequestsFromMapFunc}, for controllers with requests of their own.
 *
 * @example
 * newControllerManagedBy<{ zone: string }>(mgr)
 *   .named("zones")
 *   .watches(Node, typedEnqueueRequestsFromMapFunc((ctx, node) => [{ zone: zoneOf(node) }]));
 */
export function typedEnqueueRequestsFromMapFunc<T extends KubernetesObject, R>(map: MapFunc<T, R>): EventHandler<T, R> {
  async function addAll(ctx: Context, objects: readonly T[], queue: AddOnlyQueue<R>): Promise<void> {
    const seen = new Set<string>();
    for (const object of objects) {
      for (const request of await map(ctx, object)) {
        const key = requestKey(request);
        if (seen.has(key)) continue;
        seen.add(key);
        queue.add(request);
      }
    }
  }

  return withLowPriorityWhenUnchanged<T, R>({
    create: (ctx, event, queue) => addAll(ctx, [event.object], queue),
    update: (ctx, { oldObject, object }, queue) =>
      addAll(ctx, oldObject === object ? [object] : [oldObject, object], queue),
    delete: (ctx, event, queue) => addAll(ctx, [event.object], queue),
    generic: (ctx, event, queue) => addAll(ctx, [event.object], queue),
  });
}
