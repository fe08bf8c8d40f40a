import { shardHash } from "./hash.ts";
import type { HashRange } from "./ranges.ts";

/** The number of reconciled objects with one key, such as those of one namespace. */
export interface KeyCount {
  readonly key: string;
  readonly hash: bigint;
  readonly objects: number;
}

/** Returns the keys in the order of their hashes. */
export function sortedKeys(counts: Iterable<readonly [key: string, objects: number]>): KeyCount[] {
  return [...counts]
    .map(([key, objects]) => ({ key, hash: shardHash(key), objects }))
    .sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));
}

/** Returns the keys in a range, in order. */
export function keysIn(keys: readonly KeyCount[], { start, end }: HashRange): readonly KeyCount[] {
  return keys.slice(firstFrom(keys, start), firstFrom(keys, end));
}

/** Returns the sum of the objects. */
export function objectsOf(keys: readonly KeyCount[]): number {
  return keys.reduce((sum, { objects }) => sum + objects, 0);
}

function firstFrom(keys: readonly KeyCount[], hash: bigint): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]!.hash < hash) low = middle + 1;
    else high = middle;
  }
  return low;
}
