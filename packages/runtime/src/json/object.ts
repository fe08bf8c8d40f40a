/** A JSON object, which excludes scalars, `null` and lists. */
export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets a field with any name. Assigning `__proto__` would change the prototype. */
export function setField(object: object, name: string, value: unknown): void {
  if (name === "__proto__") {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    (object as JsonObject)[name] = value;
  }
}

/** Returns an own field of an object. Inherited names such as `constructor` are `undefined` unless they are set. */
export function ownField<T>(object: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}
