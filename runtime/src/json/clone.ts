/**
 * A deep copy of a JSON value: plain objects, arrays and scalars. Several times faster than `structuredClone`, because JSON has
 * no cycles, prototypes or dates to care for. The copy of a frozen value is not frozen.
 */
export function cloneJson<T>(value: T): T {
  return copy(value) as T;
}

function copy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const length = value.length;
    const out = new Array<unknown>(length);
    for (let index = 0; index < length; index++) {
      const item: unknown = value[index];
      out[index] = typeof item === "object" ? copy(item) : item;
    }
    return out;
  }
  const out: Record<string, unknown> = {};
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    // Assigning `__proto__` would change the prototype; JSON text can hold such a key.
    if (key === "__proto__") {
      Object.defineProperty(out, key, { value: copy(inner), enumerable: true, configurable: true, writable: true });
    } else {
      out[key] = typeof inner === "object" ? copy(inner) : inner;
    }
  }
  return out;
}
