import type { KubernetesObject } from "../api/index.ts";
import type { List, ListOptions, ObjectKey, Reader, WholeObjects } from "../client/client.ts";
import { fieldPath } from "../client/selectors.ts";
import { findApiError } from "../errors/predicates.ts";
import type { Informer } from "./informer.ts";
import type { InformerShards } from "./informer-shards.ts";
import { storeKey } from "./store.ts";

/** Whether an informer with shards has an object. If it hasn't, the object can belong to another replica. */
export function isCached<T extends KubernetesObject>(informer: Informer<T>, { namespace, name }: ObjectKey): boolean {
  const key = storeKey(informer.resource?.namespaced === false ? undefined : namespace, name);
  return informer.ownWrites.get(key) !== undefined;
}

/** Whether the cache has all objects of a list: those of this process, or those of one of its namespaces. */
export function isListCached(shards: InformerShards, { namespace, sharded }: ListOptions): boolean {
  return !shards.isActive || sharded === true || (!!namespace && shards.holdsNamespace(namespace));
}

/**
 * Lists the objects of all replicas.
 *
 * @throws Error if the list selects by a field that only an index of the cache has
 */
export async function listEverywhere<T extends KubernetesObject>(
  live: Reader,
  { kind, store }: Informer<T>,
  { sharded: _, ...options }: ListOptions,
): Promise<List<T>> {
  try {
    return await live.list(kind, options as WholeObjects);
  } catch (error) {
    const index = Object.keys(options.fields ?? {})
      .map(fieldPath)
      .find((path) => store.hasIndex(path));
    if (index === undefined || findApiError(error)?.code !== 400) throw error;
    const rule = "only the cache has this index, and it contains the objects of this replica";
    throw new Error(
      `list of ${kind.kind} by ${index}: ${rule}: set sharded: true to list these, or the namespace of a reconciled object`,
      { cause: error },
    );
  }
}
