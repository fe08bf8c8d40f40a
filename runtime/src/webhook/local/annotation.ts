import type { KubernetesObject } from "../../api/index.ts";

/** On an object that leads to a manager on somebody's machine: what it was before, so that whoever comes next can put it back. */
export const takeoverAnnotation = "kubewright.io/local-webhooks";

/** Whether an object leads to a manager on somebody's machine. */
export function isTakenOver(object: KubernetesObject): boolean {
  return object.metadata?.annotations?.[takeoverAnnotation] !== undefined;
}
