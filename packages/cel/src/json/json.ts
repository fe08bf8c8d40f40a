/** A value of JSON. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** An object of JSON. Absent keys read as `undefined`. */
export interface JsonObject {
  [key: string]: Json | undefined;
}

/**
 * Reports whether a value is an object of JSON, which excludes null and lists.
 *
 * @param value - any value
 * @returns true for objects
 */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
