/** A JSON object: neither a scalar nor `null` nor a list. */
export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets a field whatever its name: assigning `__proto__` would change the prototype. */
export function setField(object: object, name: string, value: unknown): void {
  if (name === "__proto__") {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    (object as JsonObject)[name] = value;
  }
}

/** The field of an object that the object has itself: `undefined` for `constructor` and its like unless they are set. */
export function ownField<T>(object: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}
