import type { KubernetesObject } from "../api/index.ts";
import type { AddOnlyQueue } from "../queue/queue.ts";
import type { Request } from "../reconcile/request.ts";
import type { EventHandler } from "./event-handler.ts";

/**
 * Wraps a handler so that its requests contain a cluster: one controller can then serve several clusters without
 * confusing their objects.
 *
 * @param cluster - name of the cluster
 * @param handler - the handler
 * @returns the wrapped handler
 *
 * @example
 * kindSource(west.cache, Pod, inCluster("west", enqueueRequestForObject()));
 */
export function inCluster<T extends KubernetesObject>(cluster: string, handler: EventHandler<T>): EventHandler<T> {
  const named = (queue: AddOnlyQueue<Request>): AddOnlyQueue<Request> => ({
    add: (request, options) => queue.add({ ...request, cluster }, options),
  });
  return {
    create: (ctx, event, queue) => handler.create(ctx, event, named(queue)),
    update: (ctx, event, queue) => handler.update(ctx, event, named(queue)),
    delete: (ctx, event, queue) => handler.delete(ctx, event, named(queue)),
    generic: (ctx, event, queue) => handler.generic(ctx, event, named(queue)),
  };
}
