import type { KubernetesObject } from "../api/index.ts";
import type { CreateEvent, DeleteEvent, GenericEvent, UpdateEvent } from "../handler/events.ts";

/** Decides which events reach a handler: `true` passes an event. Events without a function pass. */
export interface Predicate<T extends KubernetesObject = KubernetesObject> {
  /**
   * Decides on the event of a new object.
   *
   * @param event - the event with the object
   * @returns whether the event passes
   */
  create?(event: CreateEvent<T>): boolean;
  /**
   * Decides on the event of a changed object.
   *
   * @param event - the event with the old and the new object
   * @returns whether the event passes
   */
  update?(event: UpdateEvent<T>): boolean;
  /**
   * Decides on the event of a deleted object.
   *
   * @param event - the event with the last known state of the object
   * @returns whether the event passes
   */
  delete?(event: DeleteEvent<T>): boolean;
  /**
   * Decides on the event from outside the cluster.
   *
   * @param event - the event with the object
   * @returns whether the event passes
   */
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
