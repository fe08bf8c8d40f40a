import { isObject, type Json } from "./json.ts";

/**
 * Compares two values of JSON. The order of keys doesn't matter, and absent keys equal undefined ones.
 *
 * @param a - a value
 * @param b - another value
 * @returns true if they are the same
 */
export function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  let count = 0;
  for (const key in a) {
    if (a[key] === undefined) continue;
    if (!Object.hasOwn(b, key) || !equal(a[key], b[key])) return false;
    count++;
  }
  for (const key in b) if (b[key] !== undefined) count--;
  return count === 0;
}

/**
 * Copies a value of JSON.
 *
 * @param value - any value
 * @returns a copy that shares nothing with the value
 */
export function clone<T extends Json | undefined>(value: T): T {
  if (Array.isArray(value)) return value.map(clone) as T;
  if (!isObject(value)) return value;
  const copy: Record<string, Json | undefined> = {};
  for (const key in value) {
    const item = value[key];
    if (key === "__proto__")
      Object.defineProperty(copy, key, { value: clone(item), enumerable: true, writable: true, configurable: true });
    else if (item !== undefined) copy[key] = clone(item);
  }
  return copy as T;
}
