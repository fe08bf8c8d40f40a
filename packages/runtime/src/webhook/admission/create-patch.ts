import type { JsonPatchOperation } from "../../client/patch.ts";
import { isJsonObject, type JsonObject } from "../../json/object.ts";

/**
 * Creates the JSON patch (RFC 6902) between two JSON values. `undefined` counts as absent, and values with `toJSON` (a
 * `Date`) as its result. In lists, equal items at both ends are kept; the items between them are compared by index.
 */
export function createPatch(before: unknown, after: unknown): JsonPatchOperation[] {
  const patch: Patch = { operations: [], same: new Map() };
  compare(before, jsonOf(after), "", patch);
  return patch.operations;
}

interface Patch {
  readonly operations: JsonPatchOperation[];
  /**
   * Which lists and objects are the same. Lists at each level compare their items completely: without it, a value in 1,000
   * nested lists is compared 1,000 times.
   */
  readonly same: Map<object, Map<object, boolean>>;
}

function compare(before: unknown, after: unknown, path: string, patch: Patch): void {
  if (Array.isArray(before) && Array.isArray(after)) compareLists(before, after, path, patch);
  else if (isJsonObject(before) && isJsonObject(after)) compareObjects(before, after, path, patch);
  else if (!sameScalar(before, after)) patch.operations.push({ op: "replace", path, value: plain(after) });
}

function compareObjects(before: JsonObject, after: JsonObject, path: string, patch: Patch): void {
  const { operations } = patch;
  for (const key of Object.keys(before)) {
    if (field(after, key) === undefined) operations.push({ op: "remove", path: `${path}/${escapeKey(key)}` });
  }
  for (const key of Object.keys(after)) {
    const value = field(after, key);
    if (value === undefined) continue;
    const inner = `${path}/${escapeKey(key)}`;
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    if (old === undefined) operations.push({ op: "add", path: inner, value: plain(value) });
    else compare(old, value, inner, patch);
  }
}

function compareLists(before: unknown[], after: unknown[], path: string, patch: Patch): void {
  const { operations, same } = patch;
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && isSame(before[head], after[head], same)) head++;
  let tail = 0;
  while (tail < shorter - head && isSame(before[before.length - 1 - tail], after[after.length - 1 - tail], same))
    tail++;
  const both = shorter - tail;
  for (let index = head; index < both; index++) {
    compare(before[index], item(after[index]), `${path}/${index}`, patch);
  }
  // Backwards, so that the indexes of later operations stay correct.
  for (let index = before.length - tail - 1; index >= both; index--) {
    operations.push({ op: "remove", path: `${path}/${index}` });
  }
  for (let index = both; index < after.length - tail; index++) {
    operations.push({ op: "add", path: `${path}/${index}`, value: plain(item(after[index])) });
  }
}

function isSame(before: unknown, after: unknown, same: Patch["same"]): boolean {
  const value = item(after);
  if (typeof before !== "object" || before === null) return sameScalar(before, value);
  if (typeof value !== "object" || value === null) return false;
  const results = same.get(before) ?? new Map<object, boolean>();
  same.set(before, results);
  const result = results.get(value) ?? isSameContainer(before, value, same);
  results.set(value, result);
  return result;
}

function isSameContainer(before: object, value: object, same: Patch["same"]): boolean {
  if (Array.isArray(before)) {
    return (
      Array.isArray(value) &&
      before.length === value.length &&
      before.every((inner, index) => isSame(inner, value[index], same))
    );
  }
  if (!isJsonObject(before) || !isJsonObject(value)) return false;
  const keys = Object.keys(value).filter((key) => field(value, key) !== undefined);
  return (
    keys.length === Object.keys(before).length &&
    keys.every((key) => Object.hasOwn(before, key) && isSame(before[key], field(value, key), same))
  );
}

/** Returns a value as JSON text would contain it; `undefined` if it would be omitted. */
function jsonOf(value: unknown): unknown {
  if (typeof value === "object" && value !== null) {
    const { toJSON } = value as { toJSON?: unknown };
    return typeof toJSON === "function" ? jsonOf(toJSON.call(value)) : value;
  }
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value === "number" && !Number.isFinite(value)) return null;
  return value;
}

function field(holder: JsonObject, key: string): unknown {
  return Object.hasOwn(holder, key) ? jsonOf(holder[key]) : undefined;
}

/** Returns the JSON value of a list item. Lists contain null for values that objects omit. */
function item(value: unknown): unknown {
  return jsonOf(value) ?? null;
}

/** Returns a deep copy. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((inner) => plain(item(inner)));
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const inner = field(value, key);
    if (inner === undefined) continue;
    // Assigning `__proto__` would change the prototype.
    Object.defineProperty(copy, key, { value: plain(inner), enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

function sameScalar(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  // biome-ignore lint/suspicious/noDoubleEquals: 1n and 1 are one JSON number
  return isNumber(before) && isNumber(after) && before == after;
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint";
}

function escapeKey(key: string): string {
  return key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}
