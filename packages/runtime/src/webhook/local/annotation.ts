import type { KubernetesObject } from "../../api/index.ts";

/**
 * Annotation of objects that refer to a manager on a developer's machine. It contains the original value, so that any
 * later run can restore it.
 */
export const takeoverAnnotation = "kubewright.io/local-webhooks";

/** Checks whether an object refers to a manager on a developer's machine. */
export function isTakenOver(object: KubernetesObject): boolean {
  return object.metadata?.annotations?.[takeoverAnnotation] !== undefined;
}
