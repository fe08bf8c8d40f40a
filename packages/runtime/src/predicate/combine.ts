import type { KubernetesObject } from "../api/index.ts";
import type { CreateEvent, DeleteEvent, GenericEvent, UpdateEvent } from "../handler/events.ts";
import type { Predicate } from "./predicate.ts";

/** An event with its type. */
export type AnyEvent<T extends KubernetesObject> =
  | { type: "create"; event: CreateEvent<T> }
  | { type: "update"; event: UpdateEvent<T> }
  | { type: "delete"; event: DeleteEvent<T> }
  | { type: "generic"; event: GenericEvent<T> };

/** Returns whether an event passes a predicate. */
export function passes<T extends KubernetesObject>(predicate: Predicate<T>, { type, event }: AnyEvent<T>): boolean {
  switch (type) {
    case "create":
      return predicate.create?.(event) ?? true;
    case "update":
      return predicate.update?.(event) ?? true;
    case "delete":
      return predicate.delete?.(event) ?? true;
    case "generic":
      return predicate.generic?.(event) ?? true;
  }
}

function combined<T extends KubernetesObject>(decide: (event: AnyEvent<T>) => boolean): Predicate<T> {
  return {
    create: (event) => decide({ type: "create", event }),
    update: (event) => decide({ type: "update", event }),
    delete: (event) => decide({ type: "delete", event }),
    generic: (event) => decide({ type: "generic", event }),
  };
}

/**
 * Creates a predicate that passes events that all predicates pass. It stops at the first one that doesn't.
 *
 * @param predicates - the predicates
 * @returns the combined predicate
 */
export function and<T extends KubernetesObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return combined((event) => predicates.every((predicate) => passes(predicate, event)));
}

/**
 * Creates a predicate that passes events that at least one predicate passes.
 *
 * @param predicates - the predicates
 * @returns the combined predicate
 */
export function or<T extends KubernetesObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return combined((event) => predicates.some((predicate) => passes(predicate, event)));
}

/**
 * Creates a predicate that passes the events that another one drops.
 *
 * @param predicate - the predicate
 * @returns the inverse predicate
 */
export function not<T extends KubernetesObject>(predicate: Predicate<T>): Predicate<T> {
  return combined((event) => !passes(predicate, event));
}
