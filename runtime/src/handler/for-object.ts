import {
  createPriority,
  type EventHandler,
  reasonOf,
  requestFor,
  updatePriority,
  updateReason,
} from "./event-handler.ts";

/** Enqueues the object of each event itself: the handler of `.for(Kind)`. */
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
