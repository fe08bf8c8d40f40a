import type { KubernetesObject } from "../api/index.ts";
import type { AnyEvent } from "../predicate/combine.ts";

/**
 * Merges two consecutive events of the same object: the state before the first, if a handler may have seen it, and the
 * state after the second.
 */
export function latest<T extends KubernetesObject>(first: AnyEvent<T>, second: AnyEvent<T>): AnyEvent<T> {
  if (second.type !== "create" && second.type !== "update") return second;
  const { object } = second.event;
  switch (first.type) {
    case "create":
      return { type: "create", event: { ...first.event, object } };
    case "update":
      return { type: "update", event: { oldObject: first.event.oldObject, object } };
    case "delete":
      // Merges the deletion and the creation into an update, as if a watch had missed both.
      return { type: "update", event: { oldObject: first.event.object, object } };
    case "generic":
      return second;
  }
}
