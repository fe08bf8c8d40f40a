import { cloneJson } from "../json/clone.ts";
import { isJsonObject, type JsonObject, ownField, setField } from "../json/object.ts";

/** Applies a merge patch (RFC 7386) to a copy of a document: `null` removes, objects merge, everything else replaces. */
export function applyMergePatch(document: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return cloneJson(patch);
  const result: JsonObject = isJsonObject(document) ? { ...document } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else if (value !== undefined) setField(result, key, applyMergePatch(ownField(result, key), value));
  }
  return result;
}
