import {
  createPriority,
  type EventHandler,
  reasonOf,
  requestFor,
  updatePriority,
  updateReason,
} from "./event-handler.ts";

/**
 * Creates a handler that enqueues the object of each event: the handler of `.for(Kind)`.
 *
 * @returns the handler
 */
export function enqueueRequestForObject(): EventHandler {
  return {
    create(_ctx, event, queue) {
      const reason = reasonOf("create", event.object);
      queue.add(requestFor(event.object), { priority: createPriority(event), reason });
    },
    update(_ctx, event, queue) {
      queue.add(requestFor(event.object), { priority: updatePriority(event), reason: updateReason(event) });
    },
    delete(_ctx, event, queue) {
      queue.add(requestFor(event.object), { reason: reasonOf("delete", event.object) });
    },
    generic(_ctx, event, queue) {
      queue.add(requestFor(event.object), { reason: reasonOf("generic", event.object) });
    },
  };
}
