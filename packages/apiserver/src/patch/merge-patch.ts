import {
  copyText,
  decodeJson,
  getKey,
  goQuote,
  isObject,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  jsonKind,
  keysOf,
  setKey,
} from "@kubewright/cel/json";
import { badRequest } from "../model/status.ts";
import { copyOf, type FieldValidation, type Patched, patchedText } from "./result.ts";

/**
 * Applies a JSON merge patch (RFC 7386).
 *
 * @param object - the object, which remains as it is
 * @param body - the patch
 * @param fieldValidation - what to do about repeated fields
 * @returns the patched object
 * @throws StatusError (400) for a malformed patch
 */
export function applyMergePatch(object: JsonObject, body: string, fieldValidation: FieldValidation): Patched {
  const { patch, strict } = decodePatch(body, fieldValidation);
  if (!isObject(patch)) {
    pruneNulls(patch);
    return { value: patch, strict, shown: (custom) => patchedText(patch, new Set(), custom) };
  }
  const visited = new Set<object>();
  const value = mergeInto(object, patch, visited);
  return { value, strict, shown: (custom) => patchedText(value, visited, custom) };
}

function decodePatch(body: string, fieldValidation: FieldValidation): { patch: Json; strict: string[] } {
  const lenient = fieldValidation === "Ignore";
  const problem = (message: string) => badRequest(lenient ? "Invalid JSON Patch" : `error decoding patch: ${message}`);
  let decoded: ReturnType<typeof decodeJson>;
  try {
    decoded = decodeJson(body);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw problem(error.message);
  }
  const { value, duplicates } = decoded;
  if (value === null) throw badRequest("Invalid JSON Patch");
  if (!isObject(value) && !(lenient && Array.isArray(value))) {
    throw problem(`json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`);
  }
  const strict = lenient ? [] : duplicates.map((path) => `duplicate field ${goQuote(path)}`);
  return { patch: value, strict };
}

/** Merges a patch. The result shares what doesn't change with the object. Iterates, because patches may be nested deeply. */
function mergeInto(object: JsonObject, patch: JsonObject, visited: Set<object>): JsonObject {
  const root: JsonObject = { ...object };
  const pending: [target: JsonObject, patch: JsonObject][] = [[root, patch]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [target, changes] = next;
    visited.add(target);
    for (const key of keysOf(changes)) {
      const change = changes[key] as Json;
      const current = getKey(target, key);
      if (change === null) delete target[key];
      else if (isObject(current) && isObject(change)) {
        const copy = { ...current };
        setKey(target, key, copy);
        pending.push([copy, change]);
      } else {
        const value = copyOf(change);
        // Objects in lists that replace an object keep their nulls.
        if (!isObject(current)) pruneNulls(value, visited);
        setKey(target, key, value);
        copyText(changes, key, target, key);
      }
    }
  }
  return root;
}

/** Removes keys with null from an object and the objects in it. */
function pruneNulls(value: Json, visited: Set<object> = new Set()): void {
  const pending: Json[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Array.isArray(next)) {
      for (const item of next) if (item !== null) pending.push(item);
    } else if (isObject(next)) {
      visited.add(next);
      for (const key of keysOf(next)) {
        const part = next[key] as Json;
        if (part === null) delete next[key];
        else pending.push(part);
      }
    }
  }
}
