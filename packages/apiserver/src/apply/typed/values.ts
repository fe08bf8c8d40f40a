import { compareText, isObject, type Json, type JsonObject } from "@kubewright/cel/json";

/** The deepest nesting of a value that typed operations accept. Deeper values would exhaust the stack of the process. */
export const maximumDepth = 1000;

/**
 * Reports whether a value is nested more deeply than typed operations accept.
 *
 * @param value - any value
 * @returns true if some part is deeper than {@link maximumDepth}
 */
export function tooDeep(value: Json | undefined): boolean {
  let level: Json[] = value === undefined ? [] : [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maximumDepth) return true;
    const next: Json[] = [];
    for (const part of level) {
      if (typeof part !== "object" || part === null) continue;
      const children = Array.isArray(part) ? part : Object.values(part);
      for (const child of children) if (typeof child === "object" && child !== null) next.push(child);
    }
    level = next;
  }
  return false;
}

/**
 * Reports whether two values are equal. Absent keys of objects equal missing ones.
 *
 * @param left - a value
 * @param right - another value
 * @returns true if both are equal
 */
export function equalValues(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, i) => equalValues(item, right[i] as Json))
    );
  }
  if (!isObject(left) || !isObject(right)) return false;
  let size = 0;
  for (const key in left) {
    const value = left[key];
    if (value === undefined) continue;
    size++;
    const other = Object.hasOwn(right, key) ? right[key] : undefined;
    if (other === undefined || !equalValues(value, other)) return false;
  }
  for (const key in right) if (right[key] !== undefined) size--;
  return size === 0;
}

function rank(value: Json): number {
  if (typeof value === "number" || typeof value === "bigint") return 0;
  if (typeof value === "string") return 1;
  if (typeof value === "boolean") return 2;
  if (Array.isArray(value)) return 3;
  return value === null ? 5 : 4;
}

/**
 * Orders values: numbers, strings, booleans, lists, objects, null.
 *
 * @param left - a value
 * @param right - another value
 * @returns a negative number, 0 or a positive number
 */
export function compareValues(left: Json, right: Json): number {
  const ranks = rank(left) - rank(right);
  if (ranks !== 0) return ranks;
  if (typeof left === "string") return compareText(left, right as string);
  if (Array.isArray(left)) {
    const other = right as Json[];
    for (let i = 0; i < Math.min(left.length, other.length); i++) {
      const order = compareValues(left[i] as Json, other[i] as Json);
      if (order !== 0) return order;
    }
    return left.length - other.length;
  }
  if (isObject(left)) return compareObjects(left, right as JsonObject);
  return left === right ? 0 : (left as number | boolean) < (right as number | boolean) ? -1 : 1;
}

function compareObjects(left: JsonObject, right: JsonObject): number {
  const entries = (object: JsonObject) =>
    Object.entries(object)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => compareText(a, b)) as [string, Json][];
  const lefts = entries(left);
  const rights = entries(right);
  for (let i = 0; i < Math.min(lefts.length, rights.length); i++) {
    const [leftKey, leftValue] = lefts[i] as [string, Json];
    const [rightKey, rightValue] = rights[i] as [string, Json];
    const keys = compareText(leftKey, rightKey);
    // The object that lacks the smaller key is greater.
    if (keys !== 0) return keys;
    const order = compareValues(leftValue, rightValue);
    if (order !== 0) return order;
  }
  return lefts.length - rights.length;
}
