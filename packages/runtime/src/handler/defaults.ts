import type { KubernetesObject } from "../api/index.ts";
import type { AddOnlyQueue, AddOptions } from "../queue/queue.ts";
import type { Request } from "../reconcile/request.ts";
import { createPriority, type EventHandler, reasonOf, updatePriority, updateReason } from "./event-handler.ts";

/**
 * Wraps a handler so that its requests have the defaults of the built-in handlers: low priority in initial lists and
 * resyncs, and the event as the reason.
 *
 * @param handler - the handler; options that it passes to the queue take precedence
 * @returns the wrapped handler
 */
export function withLowPriorityWhenUnchanged<T extends KubernetesObject, R = Request>(
  handler: EventHandler<T, R>,
): EventHandler<T, R> {
  const filled = (queue: AddOnlyQueue<R>, defaults: AddOptions): AddOnlyQueue<R> => ({
    add: (request, options) => queue.add(request, options ? { ...defaults, ...options } : defaults),
  });
  return {
    create: (ctx, event, queue) => {
      const defaults = { priority: createPriority(event), reason: reasonOf("create", event.object) };
      return handler.create(ctx, event, filled(queue, defaults));
    },
    update: (ctx, event, queue) => {
      const defaults = { priority: updatePriority(event), reason: updateReason(event) };
      return handler.update(ctx, event, filled(queue, defaults));
    },
    delete: (ctx, event, queue) =>
      handler.delete(ctx, event, filled(queue, { reason: reasonOf("delete", event.object) })),
    generic: (ctx, event, queue) =>
      handler.generic(ctx, event, filled(queue, { reason: reasonOf("generic", event.object) })),
  };
}
