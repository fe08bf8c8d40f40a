import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import { shardHash } from "../shards/hash.ts";
import { containsHash, type HashRange } from "../shards/ranges.ts";
import type { ShardKey } from "../shards/selector.ts";

/**
 * How the objects of a kind are divided for one of its uses: reconciled objects, owned ones, those of their namespace, or in no
 * way, because the use reads what others watch.
 */
export type ShardUse = "reconciled" | { owner: Kind; matchEveryOwner?: boolean } | "namespace" | "none";

/** The hashed value of an object: its namespace, its UID, or the UID of its controller. */
export type HashedValue = "namespace" | "uid" | "owner";

/** Returns the hashed value of a use. */
export async function hashedValue(
  use: Exclude<ShardUse, "none">,
  key: ShardKey,
  isNamespaced: (kind?: Kind) => boolean | Promise<boolean>,
): Promise<HashedValue> {
  if (use === "namespace") return "namespace";
  if (use === "reconciled") return key === "namespace" && (await isNamespaced()) ? "namespace" : "uid";
  return key === "namespace" && (await isNamespaced(use.owner)) ? "namespace" : "owner";
}

/** The largest number of namespaces whose hashes are kept. */
const maxNamespaces = 100_000;
const namespaces = new Map<string, bigint>();

/** Returns the hash of a namespace. Most objects share theirs with others. */
export function namespaceHash(namespace: string): bigint {
  const known = namespaces.get(namespace);
  if (known !== undefined) return known;
  if (namespaces.size >= maxNamespaces) namespaces.clear();
  const hash = shardHash(namespace);
  namespaces.set(namespace, hash);
  return hash;
}

/** Returns the hash of an object, or `undefined` if it has no controller whose UID is hashed. */
export function objectHash({ metadata = {} }: KubernetesObject, value: HashedValue): bigint | undefined {
  if (value === "namespace") return namespaceHash(metadata.namespace ?? "");
  if (value === "uid") return metadata.uid === undefined ? undefined : shardHash(metadata.uid);
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  return owner && shardHash(owner.uid);
}

/** Returns whether one of an object's hashes is in the ranges. */
export function isObjectIn(
  ranges: readonly HashRange[],
  object: KubernetesObject,
  values: readonly HashedValue[],
): boolean {
  return values.some((value) => {
    const hash = objectHash(object, value);
    return hash !== undefined && containsHash(ranges, hash);
  });
}
