import type { KubernetesObject } from "../api/index.ts";
import type { CreateEvent, DeleteEvent, GenericEvent, UpdateEvent } from "../handler/events.ts";

/** Decides which events get to the handler: `true` lets one pass. A kind of event without a function passes. */
export interface Predicate<T extends KubernetesObject = KubernetesObject> {
  create?(event: CreateEvent<T>): boolean;
  update?(event: UpdateEvent<T>): boolean;
  delete?(event: DeleteEvent<T>): boolean;
  generic?(event: GenericEvent<T>): boolean;
}

/** One function for all kinds of events; of an update it sees the new object. */
export function newPredicateFuncs<T extends KubernetesObject>(filter: (object: T) => boolean): Predicate<T> {
  return {
    create: (event) => filter(event.object),
    update: (event) => filter(event.object),
    delete: (event) => filter(event.object),
    generic: (event) => filter(event.object),
  };
}
