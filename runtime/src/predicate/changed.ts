import type { KubernetesObject } from "../api/index.ts";
import { semanticEqual } from "../json/index.ts";
import type { Predicate } from "./predicate.ts";

function changed(value: (object: KubernetesObject) => unknown): Predicate {
  return Object.freeze({
    // A deletion and a creation that a watch has missed come as one update: in another object all is new.
    update: ({ oldObject, object }: { oldObject: KubernetesObject; object: KubernetesObject }) =>
      oldObject.metadata?.uid !== object.metadata?.uid || !semanticEqual(value(oldObject), value(object)),
  });
}

/** Drops updates that leave `metadata.generation`: those of status, labels, annotations, finalizers. */
export const generationChangedPredicate: Predicate = changed((object) => object.metadata?.generation);

/** Drops resyncs. */
export const resourceVersionChangedPredicate: Predicate = changed((object) => object.metadata?.resourceVersion);

/** Drops updates that leave the labels. */
export const labelChangedPredicate: Predicate = changed((object) => object.metadata?.labels ?? {});

/** Drops updates that leave the annotations. */
export const annotationChangedPredicate: Predicate = changed((object) => object.metadata?.annotations ?? {});
