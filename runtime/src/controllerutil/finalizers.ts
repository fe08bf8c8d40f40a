import type { KubernetesObject } from "../api/index.ts";

/** Adds a finalizer; tells whether the object was changed. */
export function addFinalizer(object: KubernetesObject, finalizer: string): boolean {
  if (containsFinalizer(object, finalizer)) return false;
  object.metadata ??= {};
  object.metadata.finalizers = [...(object.metadata.finalizers ?? []), finalizer];
  return true;
}

/** Removes a finalizer; tells whether the object was changed. */
export function removeFinalizer(object: KubernetesObject, finalizer: string): boolean {
  if (!containsFinalizer(object, finalizer)) return false;
  object.metadata!.finalizers = object.metadata!.finalizers!.filter((candidate) => candidate !== finalizer);
  return true;
}

/** Whether the object has a finalizer. */
export function containsFinalizer(object: KubernetesObject, finalizer: string): boolean {
  return object.metadata?.finalizers?.includes(finalizer) ?? false;
}
