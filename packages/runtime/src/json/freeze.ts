/**
 * Freezes a JSON value with its whole content, and returns it. A frozen value is assumed to be frozen completely. The depth
 * of the value isn't limited.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  const open: object[] = [value];
  for (let next = open.pop(); next; next = open.pop()) {
    for (const key in next) {
      const inner = (next as Record<string, unknown>)[key];
      if (typeof inner !== "object" || inner === null || Object.isFrozen(inner)) continue;
      Object.freeze(inner);
      open.push(inner);
    }
  }
  return value;
}
