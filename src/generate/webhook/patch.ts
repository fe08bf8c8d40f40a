import { isObject, type Json, type JsonObject, normalize, ShapeProblem } from "./decode.ts";
import { DELETE_LIST } from "./directive-keys.ts";
import { validateDirectives, withoutDirectives } from "./directives.ts";
import { parseJson } from "./parse-json.ts";
import { orderLists } from "./patch-lists.ts";
import type { Struct } from "./shape.ts";

/**
 * Applies a strategic merge patch, as JSON, to a generated webhook, and returns the normalized result.
 *
 * @throws ShapeProblem for invalid JSON, keys that a webhook doesn't have (null values included) and invalid directives
 */
export function applyPatch(webhook: JsonObject, patchText: string, shape: Struct): JsonObject {
  if (patchText === "") return normalize(webhook, shape) as JsonObject;
  const patch = parseJson(patchText) ?? {};
  if (!isObject(patch)) throw new ShapeProblem("", "the patch must be a JSON object");
  // Before merging, which drops invalid values such as null.
  normalize(validateDirectives(patch, shape), shape);
  return normalize(mergeObject(webhook, patch, shape), shape) as JsonObject;
}

function mergeObject(original: JsonObject, patch: JsonObject, shape: Struct): JsonObject {
  const { $patch: directive, ...whole } = patch;
  if (directive === "replace") return whole;
  if (directive === "delete") return {};
  const kept = retainKeys(original, patch);
  const ordered = orderLists(kept.original, kept.patch, shape);
  const merged: Record<string, Json> = { ...ordered.original };
  for (const [key, value] of Object.entries(ordered.patch)) {
    if (key.startsWith(DELETE_LIST)) deleteFromList(merged, key.slice(DELETE_LIST.length), value);
    else mergeKey(merged, key, value, shape);
  }
  return merged;
}

/** Applies `$retainKeys`, the list of keys to keep, which must contain those of the patch. */
function retainKeys(original: JsonObject, patch: JsonObject): { original: JsonObject; patch: JsonObject } {
  const { $retainKeys: retained, ...rest } = patch;
  if (retained === undefined) return { original, patch };
  const names = new Set(retained as readonly Json[]);
  for (const [key, value] of Object.entries(rest)) {
    if (value === null || key.startsWith("$") || names.has(key)) continue;
    throw new ShapeProblem("$retainKeys", `must contain ${JSON.stringify(key)}, which the patch sets`);
  }
  return { original: Object.fromEntries(Object.entries(original).filter(([key]) => names.has(key))), patch: rest };
}

function mergeKey(merged: Record<string, Json>, key: string, value: Json, shape: Struct): void {
  const before = merged[key];
  const field = shape.fields[key]?.shape;
  if (value === null) {
    delete merged[key];
  } else if (isObject(before) && isObject(value) && field?.kind === "struct") {
    merged[key] = mergeObject(before, value, field);
  } else if (Array.isArray(before) && Array.isArray(value)) {
    // None of the lists that markers set has a merge key: the patch's list replaces the whole list.
    merged[key] = value;
  } else {
    const taken = withoutDirectives(value);
    if (taken === undefined) delete merged[key];
    else merged[key] = taken;
  }
}

function deleteFromList(merged: Record<string, Json>, key: string, values: Json): void {
  const before = merged[key];
  if (!Array.isArray(before)) return;
  if (before.some((item) => typeof item !== "string")) {
    throw new ShapeProblem(DELETE_LIST + key, "the list contains objects; set the whole list instead");
  }
  merged[key] = before.filter((item) => !(values as readonly Json[]).includes(item));
}
