import { getKey, goFormat, goType, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { goKind, type PatchMeta } from "./patch-meta.ts";
import { badType, listOfLists, noMergeKey, patchFailure, unknownDirective } from "./strategic-errors.ts";

const directive = "$patch";

/**
 * Returns the value by which an item of a list is merged.
 *
 * @param item - the item
 * @param mergeKey - its key
 * @returns the value of the key
 * @throws StatusError (500) if the item lacks the key
 */
export function mergeKeyOf(item: JsonObject, mergeKey: string): Json {
  const value = getKey(item, mergeKey);
  if (value === undefined) throw noMergeKey(item, mergeKey);
  return value;
}

/**
 * Merges a list of a patch into a list. Items of the patch keep their order; other items keep theirs.
 *
 * @param original - the list, which changes
 * @param patch - the list of the patch
 * @param meta - how the list merges
 * @param deletes - whether to remove the values of the patch from the list
 * @param mergeItems - merges two items with the same key
 * @returns the merged list
 * @throws StatusError if items have different types or lack their key
 */
export function mergeLists(
  original: Json[],
  patch: Json[],
  meta: PatchMeta,
  deletes: boolean,
  mergeItems: (item: JsonObject, patch: JsonObject) => JsonObject,
): Json[] {
  if (original.length === 0 && patch.length === 0) return original;
  const { mergeKey } = meta;
  if (elementType(original, patch) !== "map") {
    if (deletes) {
      const deleted = new Set(patch);
      return original.filter((value) => !deleted.has(value));
    }
    return orderItems([...new Set([...original, ...patch])], patch, original, mergeKey, "scalar");
  }
  if (mergeKey === "") throw patchFailure(`cannot merge lists without merge key for ${goKind(meta.schema)}`);
  const { remaining, changes, replaced } = applyItemDirectives(
    original as JsonObject[],
    patch as JsonObject[],
    mergeKey,
  );
  const merged = [...remaining];
  const positions = new Map<Json, number>();
  for (const [index, item] of merged.entries()) {
    const key = getKey(item, mergeKey);
    if (key !== undefined && !positions.has(key)) positions.set(key, index);
  }
  for (const item of changes) {
    const key = mergeKeyOf(item, mergeKey);
    const position = positions.get(key);
    if (position === undefined) {
      positions.set(key, merged.length);
      merged.push(item);
    } else merged[position] = mergeItems(merged[position] as JsonObject, item);
  }
  // The list becomes the merged one up to its own length, because kube-apiserver changes it in place, and
  // `$setElementOrder` orders other items by it.
  if (!replaced) {
    const { length } = original;
    for (let index = 0; index < Math.min(length, merged.length); index++) original[index] = merged[index] as Json;
  }
  return orderItems(merged, changes, remaining, mergeKey, "map");
}

/** Applies `$patch: delete` and `$patch: replace` of items. */
function applyItemDirectives(
  original: JsonObject[],
  patch: JsonObject[],
  mergeKey: string,
): { remaining: JsonObject[]; changes: JsonObject[]; replaced: boolean } {
  const changes: JsonObject[] = [];
  const deleted = new Set<Json>();
  let replace = false;
  for (const item of patch) {
    const action = getKey(item, directive);
    if (action === undefined) changes.push(item);
    else if (action === "delete") deleted.add(mergeKeyOf(item, mergeKey));
    else if (action === "replace") replace = true;
    else if (action === "merge") throw patchFailure("merging lists cannot yet be specified in the patch");
    else throw unknownDirective(action, item);
  }
  if (replace) return { remaining: changes, changes: [], replaced: true };
  const remaining = original.filter((item) => {
    const key = getKey(item, mergeKey);
    return key === undefined || !deleted.has(key);
  });
  return { remaining, changes, replaced: false };
}

/**
 * Orders a merged list by the list of `$setElementOrder`.
 *
 * @param merged - the merged list
 * @param order - the list of the directive
 * @param original - the list before
 * @param patch - the list of the patch
 * @param mergeKey - the key of items; empty for scalars
 * @returns the ordered list
 * @throws StatusError if items have different types or lack their key
 */
export function orderList(merged: Json[], order: Json[], original: Json[], patch: Json[], mergeKey: string): Json[] {
  if (mergeKey !== "")
    for (const item of order)
      if (!isObject(item) && merged.length > 0) throw patchFailure("value for key 0 is not a map");
  return orderItems(merged, order, original, mergeKey, elementType(original, patch) === "map" ? "map" : "scalar");
}

/**
 * Orders the items that a list names by that list, and the others by the original. Then merges both: an item of the first
 * comes before an other one, unless the original has them in reverse.
 */
function orderItems(merged: Json[], order: Json[], original: Json[], mergeKey: string, kind: "map" | "scalar"): Json[] {
  const idOf = (item: Json): Json => {
    if (mergeKey === "") return item;
    if (!isObject(item)) throw badType("map", item);
    return mergeKeyOf(item, mergeKey);
  };
  const orderIndex = indexes(order, kind === "map" ? idOf : (item) => item);
  const inOrder = (item: Json) => orderIndex.has(idOf(item));
  const byIndex = (index: Map<Json, number>) => (a: Json, b: Json) =>
    (index.get(idOf(a)) ?? -1) - (index.get(idOf(b)) ?? -1);
  const named = deletionsLast(merged.filter(inOrder).sort(byIndex(orderIndex)));
  const originalIndex = indexes(original, kind === "map" ? idOf : (item) => item);
  const others = deletionsLast(merged.filter((item) => !inOrder(item)).sort(byIndex(originalIndex)));
  const result: Json[] = [];
  let next = 0;
  for (const item of named) {
    const index = originalIndex.get(idOf(item));
    while (next < others.length && index !== undefined) {
      const other = originalIndex.get(idOf(others[next] as Json));
      if (other === undefined || other >= index) break;
      result.push(others[next++] as Json);
    }
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}

function deletionsLast(items: Json[]): Json[] {
  const deletes = (item: Json) => isObject(item) && getKey(item, directive) === "delete";
  return items.some(deletes) ? [...items.filter((item) => !deletes(item)), ...items.filter(deletes)] : items;
}

function indexes(items: readonly Json[], idOf: (item: Json) => Json): Map<Json, number> {
  const index = new Map<Json, number>();
  for (const [position, item] of items.entries()) {
    const id = idOf(item);
    if (!index.has(id)) index.set(id, position);
  }
  return index;
}

/** Returns the type of all items of two lists. */
function elementType(...lists: Json[][]): "map" | "scalar" {
  let type: string | undefined;
  for (const list of lists) {
    for (const item of list) {
      const own = goType(item);
      if (type === undefined) {
        if (item === null) throw patchFailure("list elements may not be null");
        if (Array.isArray(item)) throw listOfLists();
        type = own;
      } else if (own !== type) {
        throw patchFailure(`list element types are not identical: ${goFormat(lists)}`);
      }
    }
  }
  if (type === undefined) throw patchFailure("no elements in any of the given slices");
  return type === goType({}) ? "map" : "scalar";
}
