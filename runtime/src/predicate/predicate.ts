import type { KubernetesObject } from "../api/index.ts";
import type { CreateEvent, DeleteEvent, GenericEvent, UpdateEvent } from "../handler/events.ts";

/** Decides which events reach a handler: `true` passes an event. Events without a function pass. */
export interface Predicate<T extends KubernetesObject = KubernetesObject> {
  /** Returns whether the event of a new object passes. */
  create?(event: CreateEvent<T>): boolean;
  /** Returns whether the event of a changed object passes. */
  update?(event: UpdateEvent<T>): boolean;
  /** Returns whether the event of a deleted object passes. */
  delete?(event: DeleteEvent<T>): boolean;
  /** Returns whether an event from outside the cluster passes. */
  generic?(event: GenericEvent<T>): boolean;
}

/**
 * Creates a predicate from one function for all events. For updates, it receives the new object.
 *
 * @param filter - returns whether an event of the object passes
 * @returns the predicate
 *
 * @example
 * builder.for(Game, { predicates: [newPredicateFuncs((game: Game) => game.metadata?.namespace !== "kube-system")] });
 */
export function newPredicateFuncs<T extends KubernetesObject>(filter: (object: T) => boolean): Predicate<T> {
  return {
    create: (event) => filter(event.object),
    update: (event) => filter(event.object),
    delete: (event) => filter(event.object),
    generic: (event) => filter(event.object),
  };
}
