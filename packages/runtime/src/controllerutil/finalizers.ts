import type { KubernetesObject } from "../api/index.ts";

/**
 * Adds a finalizer to an object in memory. Write the object afterwards.
 *
 * @param object - the object to change
 * @param finalizer - the finalizer, such as `example.com/scores`
 * @returns whether the object was changed
 *
 * @example
 * if (addFinalizer(game, "example.com/scores")) await client.update(game);
 */
export function addFinalizer(object: KubernetesObject, finalizer: string): boolean {
  if (containsFinalizer(object, finalizer)) return false;
  object.metadata ??= {};
  object.metadata.finalizers = [...(object.metadata.finalizers ?? []), finalizer];
  return true;
}

/**
 * Removes a finalizer from an object in memory. Write the object afterwards.
 *
 * @param object - the object to change
 * @param finalizer - the finalizer
 * @returns whether the object was changed
 */
export function removeFinalizer(object: KubernetesObject, finalizer: string): boolean {
  if (!containsFinalizer(object, finalizer)) return false;
  object.metadata!.finalizers = object.metadata!.finalizers!.filter((candidate) => candidate !== finalizer);
  return true;
}

/**
 * Returns whether an object has a finalizer.
 *
 * @param object - the object
 * @param finalizer - the finalizer
 * @returns whether it is in `metadata.finalizers`
 */
export function containsFinalizer(object: KubernetesObject, finalizer: string): boolean {
  return object.metadata?.finalizers?.includes(finalizer) ?? false;
}
