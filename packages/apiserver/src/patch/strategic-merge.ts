import {
  decodeJson,
  getKey,
  goFormat,
  goQuote,
  isObject,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  jsonKind,
  keysOf,
  setKey,
} from "@kubewright/cel/json";
import type { Schema } from "@kubewright/cel/schema";
import { badRequest } from "../model/status.ts";
import { metaOfList, metaOfObject, type PatchMeta } from "./patch-meta.ts";
import { copyOf, type FieldValidation, type Patched } from "./result.ts";
import { badFormat, badType, patchFailure, unknownDirective } from "./strategic-errors.ts";
import { mergeKeyOf, mergeLists, orderList } from "./strategic-lists.ts";

const directive = "$patch";
const deletions = "$deleteFromPrimitiveList";
const elementOrder = "$setElementOrder";
const retainKeys = "$retainKeys";
const maximumDepth = 1000;

/**
 * Applies a strategic merge patch to an object of a built-in kind.
 *
 * @param object - the object, which remains as it is
 * @param body - the patch
 * @param schema - the OpenAPI model of the kind, with references resolved
 * @param fieldValidation - what to do about repeated fields
 * @returns the patched object
 * @throws StatusError (400) for a malformed patch, (422 or 500) for one that can't be applied
 */
export function applyStrategicPatch(
  object: JsonObject,
  body: string,
  schema: Schema,
  fieldValidation: FieldValidation,
): Patched {
  let decoded: ReturnType<typeof decodeJson>;
  try {
    decoded = decodeJson(body);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw badRequest(error.message);
  }
  const patch = decoded.value ?? {};
  if (!isObject(patch)) {
    throw badRequest(`json: cannot unmarshal ${jsonKind(patch)} into Go value of type map[string]interface {}`);
  }
  const strict =
    fieldValidation === "Ignore" ? [] : decoded.duplicates.map((path) => `duplicate field ${goQuote(path)}`);
  // kube-apiserver prints the patch after applying it, which removes some of its directives.
  const used = copyOf(patch);
  const value = mergeStrategic(copyOf(object), used, schema);
  return { value, strict, converted: true, shown: () => goFormat(used) };
}

/**
 * Merges a strategic merge patch into an object. Changes both.
 *
 * @param original - the object
 * @param patch - the patch
 * @param schema - the type of the object
 * @param depth - the level of the object, counted from 0
 * @returns the patched object
 * @throws StatusError if the patch can't be applied
 */
export function mergeStrategic(original: JsonObject, patch: JsonObject, schema: Schema, depth = 0): JsonObject {
  if (depth > maximumDepth) throw patchFailure("exceeded max depth");
  const action = getKey(patch, directive);
  if (action === "replace") {
    delete patch[directive];
    return patch;
  }
  if (action === "delete") return {};
  if (action !== undefined) throw unknownDirective(action, patch);
  applyRetainKeys(original, patch);
  applyElementOrder(original, patch, schema, depth);
  for (const patchKey of keysOf(patch)) {
    const change = patch[patchKey] as Json;
    const deletes = patchKey.startsWith(deletions);
    const key = deletes ? fieldOfDirective(patchKey, deletions) : patchKey;
    if (change === null) {
      delete original[key];
      continue;
    }
    const current = getKey(original, key);
    if (isObject(current) && isObject(change)) {
      const meta = metaOfObject(schema, key);
      const merged = meta.strategy === "replace" ? change : mergeStrategic(current, change, meta.schema, depth + 1);
      setKey(original, key, merged);
    } else if (Array.isArray(current) && Array.isArray(change)) {
      const meta = metaOfList(schema, key);
      setKey(original, key, mergeField(current, change, meta, deletes, depth));
    } else if (!deletes || (current !== undefined && typeof current === typeof change && typeof change !== "object")) {
      if (typeof change === "object") discardNulls(change, depth);
      const kept = withoutDirectives(change, depth);
      if (kept === undefined) delete original[key];
      else setKey(original, key, kept);
    }
  }
  return original;
}

function mergeField(current: Json[], change: Json[], meta: PatchMeta, deletes: boolean, depth: number): Json[] {
  if (meta.strategy !== "merge" && !deletes) return change;
  return mergeLists(current, change, meta, deletes, (item, itemPatch) =>
    mergeStrategic(item, itemPatch, meta.schema, depth + 1),
  );
}

/** Returns the field that a directive such as `$setElementOrder/finalizers` is for. */
function fieldOfDirective(key: string, prefix: typeof deletions | typeof elementOrder): string {
  if (!key.startsWith(`${prefix}/`)) {
    throw badFormat(prefix === deletions ? "deleteFromPrimitiveList" : "setElementOrder");
  }
  return key.slice(prefix.length + 1);
}

/** Removes the fields that `$retainKeys` doesn't list. */
function applyRetainKeys(original: JsonObject, patch: JsonObject): void {
  const list = getKey(patch, retainKeys);
  if (list === undefined) return;
  delete patch[retainKeys];
  if (!Array.isArray(list)) throw badFormat("retainKeys");
  const retained = new Set(list);
  for (const key of keysOf(patch)) {
    if (patch[key] === null || key.startsWith(deletions) || key.startsWith(elementOrder)) continue;
    if (!retained.has(key)) throw badFormat("retainKeys");
  }
  for (const key of keysOf(original)) if (!retained.has(key)) delete original[key];
}

/** Merges the lists whose order `$setElementOrder` determines. Removes them from the patch. */
function applyElementOrder(original: JsonObject, patch: JsonObject, schema: Schema, depth: number): void {
  for (const orderKey of keysOf(patch)) {
    if (!orderKey.startsWith(elementOrder)) continue;
    const order = patch[orderKey] as Json;
    delete patch[orderKey];
    if (!Array.isArray(order)) throw badType("list", order);
    const key = fieldOfDirective(orderKey, elementOrder);
    const current = getKey(original, key);
    const change = getKey(patch, key);
    if (current !== undefined && !Array.isArray(current)) throw badType("list", current);
    if (change !== undefined && !Array.isArray(change)) throw badType("list", change);
    const meta = metaOfList(schema, key);
    validateOrder(change ?? [], order, meta.mergeKey);
    let merged: Json[];
    if (current !== undefined && change !== undefined) merged = mergeField(current, change, meta, false, depth);
    else if (current !== undefined) merged = current;
    else if (change !== undefined) merged = (withoutDirectives(change, depth) ?? []) as Json[];
    else continue;
    setKey(original, key, orderList(merged, order, current ?? [], change ?? [], meta.mergeKey));
    delete patch[key];
  }
}

/** Checks that the items of a patch are in the list of `$setElementOrder`, in the same order. */
function validateOrder(change: Json[], order: Json[], mergeKey: string): void {
  if (order.length === 0 || change.length === 0) return;
  const items = mergeKey === "" ? change : change.filter((item) => getKey(requireObject(item), directive) !== "delete");
  const idOf = (item: Json): Json => (mergeKey === "" ? item : mergeKeyOf(requireObject(item), mergeKey));
  let next = 0;
  for (const entry of order) {
    while (next < items.length && isObject(items[next]) && getKey(items[next] as JsonObject, directive) !== undefined)
      next++;
    if (next >= items.length) return;
    if (idOf(items[next] as Json) === idOf(entry)) next++;
  }
  while (next < items.length && isObject(items[next]) && getKey(items[next] as JsonObject, directive) !== undefined)
    next++;
  if (next < items.length) {
    throw patchFailure(
      `The order in patch list:\n${goFormat(change)}\n doesn't match ${elementOrder} list:\n${goFormat(order)}\n`,
    );
  }
}

function requireObject(item: Json): JsonObject {
  if (!isObject(item)) throw badType("map", item);
  return item;
}

/** Removes keys with null from an object and the objects in it. */
function discardNulls(value: Json, depth: number): void {
  if (depth > maximumDepth) throw patchFailure("exceeded max depth");
  if (Array.isArray(value)) for (const item of value) discardNulls(item, depth + 1);
  else if (isObject(value)) {
    for (const key of keysOf(value)) {
      const part = value[key] as Json;
      if (part === null) delete value[key];
      else discardNulls(part, depth + 1);
    }
  }
}

/** Removes objects with a directive. Returns undefined if the value itself is one. */
function withoutDirectives(value: Json, depth: number): Json | undefined {
  if (depth > maximumDepth) throw patchFailure("exceeded max depth");
  if (Array.isArray(value)) {
    return value.map((item) => withoutDirectives(item, depth + 1)).filter((item) => item !== undefined);
  }
  if (!isObject(value)) return value;
  if (getKey(value, directive) !== undefined) return undefined;
  for (const key of keysOf(value)) {
    const kept = withoutDirectives(value[key] as Json, depth + 1);
    if (kept === undefined) delete value[key];
    else setKey(value, key, kept);
  }
  return value;
}
