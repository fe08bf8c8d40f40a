import type { KubernetesObject } from "../api/index.ts";
import { semanticEqual } from "../json/equal.ts";
import type { Predicate } from "./predicate.ts";

function changed(value: (object: KubernetesObject) => unknown): Predicate {
  return Object.freeze({
    // A watch can miss a deletion and the following creation, and then reports a single update. In this case, all fields of
    // the new object count as changed.
    update: ({ oldObject, object }: { oldObject: KubernetesObject; object: KubernetesObject }) =>
      oldObject.metadata?.uid !== object.metadata?.uid || !semanticEqual(value(oldObject), value(object)),
  });
}

/**
 * Drops updates that don't change `metadata.generation`: those of status, labels, annotations and finalizers.
 *
 * @example
 * builder.for(Game, { predicates: [generationChangedPredicate] });
 */
export const generationChangedPredicate: Predicate = changed((object) => object.metadata?.generation);

/** Drops resyncs, which don't change `metadata.resourceVersion`. */
export const resourceVersionChangedPredicate: Predicate = changed((object) => object.metadata?.resourceVersion);

/** Drops updates that don't change the labels. */
export const labelChangedPredicate: Predicate = changed((object) => object.metadata?.labels ?? {});

/** Drops updates that don't change the annotations. */
export const annotationChangedPredicate: Predicate = changed((object) => object.metadata?.annotations ?? {});
