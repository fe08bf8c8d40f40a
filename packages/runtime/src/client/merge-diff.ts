import { isJsonObject, type JsonObject, ownField, setField } from "../json/object.ts";

/** Two objects to compare, and the resulting patch. */
interface Level {
  from: JsonObject;
  to: JsonObject;
  patch: JsonObject;
  keys: readonly string[];
  index: number;
  /** Name of the field in the parent patch. A new object is written even if it is empty. */
  field: string;
  isNew: boolean;
}

/**
 * Returns the merge patch (RFC 7386) from `before` to `after`. Removed fields are `null`, and lists are replaced as a whole.
 * The depth of the objects isn't limited.
 */
export function mergeDiff(before: object, after: object): JsonObject {
  const root = levelOf(before as JsonObject, after as JsonObject, "", false);
  const levels = [root];
  for (let level = levels.at(-1)!; ; level = levels.at(-1)!) {
    const { from, to, patch, keys } = level;
    if (level.index === keys.length) {
      levels.pop();
      const above = levels.at(-1);
      if (!above) return patch;
      if (level.isNew || Object.keys(patch).length > 0) setField(above.patch, level.field, patch);
      continue;
    }
    const key = keys[level.index++]!;
    const value = ownField(to, key);
    const old = ownField(from, key);
    if (value === undefined) continue;
    // A null in a new object would mean removal. Since the object is new, the null is dropped.
    if (isJsonObject(value)) levels.push(levelOf(isJsonObject(old) ? old : {}, value, key, !isJsonObject(old)));
    else if (!exactlyEqual(old, value)) setField(patch, key, value);
  }
}

function levelOf(from: JsonObject, to: JsonObject, field: string, isNew: boolean): Level {
  const patch: JsonObject = {};
  for (const key of Object.keys(from)) {
    // An undefined field counts as missing, because JSON omits it.
    if (from[key] !== undefined && from[key] !== null && ownField(to, key) === undefined) setField(patch, key, null);
  }
  return { from, to, patch, keys: Object.keys(to), index: 0, field, isNew };
}

function exactlyEqual(left: unknown, right: unknown): boolean {
  const open: [a: unknown, b: unknown][] = [[left, right]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [a, b] = next;
    if (a === b) continue;
    if (a === undefined && b === null) continue;
    if (Array.isArray(a)) {
      if (!Array.isArray(b) || a.length !== b.length) return false;
      for (const [index, item] of a.entries()) open.push([item, b[index]]);
      continue;
    }
    if (!isJsonObject(a) || !isJsonObject(b)) return false;
    const keys = definedKeys(a);
    if (keys.length !== definedKeys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      open.push([a[key], b[key]]);
    }
  }
  return true;
}

function definedKeys(value: JsonObject): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}
