import type { Json, JsonObject } from "./json.ts";

/**
 * Reads a key of an object. Names of inherited properties such as `constructor` are absent unless the object has them.
 *
 * @param object - the object
 * @param key - the key
 * @returns its value, or undefined if the key is absent
 */
export function getKey(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * Sets a key of an object. The key `__proto__` becomes an ordinary key.
 *
 * @param object - the object to change
 * @param key - the key
 * @param value - its value
 */
export function setKey(object: JsonObject, key: string, value: Json): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

/**
 * Returns the keys of an object that have a value.
 *
 * @param object - the object
 * @returns its keys in their order
 */
export function keysOf(object: JsonObject): string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined);
}

/**
 * Gives an object the value that another has at a key, or removes the key if the other lacks it.
 *
 * @param to - the object to change
 * @param from - the other object, which shares the value afterwards
 * @param key - the key
 */
export function copyKey(to: JsonObject, from: JsonObject, key: string): void {
  if (from[key] === undefined) delete to[key];
  else to[key] = from[key];
}
