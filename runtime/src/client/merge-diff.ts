import { isJsonObject, type JsonObject } from "../json/object.ts";

/** The merge patch (RFC 7386) that makes `before` into `after`: what was removed is `null`, lists are taken as a whole. */
export function mergeDiff(before: object, after: object): JsonObject {
  const from = before as JsonObject;
  const to = after as JsonObject;
  const patch: JsonObject = {};
  for (const key of Object.keys(from)) {
    // A field that is undefined isn't there: it has no JSON text.
    if (from[key] !== undefined && from[key] !== null && (!Object.hasOwn(to, key) || to[key] === undefined))
      patch[key] = null;
  }
  for (const key of Object.keys(to)) {
    const value = to[key];
    const old = Object.hasOwn(from, key) ? from[key] : undefined;
    if (value === undefined || exactlyEqual(old, value)) continue;
    if (isJsonObject(old) && isJsonObject(value)) patch[key] = mergeDiff(old, value);
    // A null inside of a new object would be taken for a removal; there is nothing to remove, so it can go.
    else patch[key] = isJsonObject(value) ? mergeDiff({}, value) : value;
  }
  return patch;
}

function exactlyEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === undefined) return b === null;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => exactlyEqual(item, b[index]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const left = definedKeys(a);
  const right = definedKeys(b);
  return left.length === right.length && left.every((key) => Object.hasOwn(b, key) && exactlyEqual(a[key], b[key]));
}

function definedKeys(value: JsonObject): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}
