import { cloneJson } from "../json/clone.ts";

type JsonObject = Record<string, unknown>;

/** Applies a merge patch (RFC 7386) to a copy of a document: `null` removes, objects merge, everything else replaces. */
export function applyMergePatch(document: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return cloneJson(patch);
  const result: JsonObject = isObject(document) ? { ...document } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else if (value !== undefined) result[key] = applyMergePatch(result[key], value);
  }
  return result;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
