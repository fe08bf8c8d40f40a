/**
 * Whether two JSON values mean the same to an API server: the order of keys doesn't count, and absent, `null`, `[]` and `{}`
 * are one (a server drops empty fields). Numbers and `bigint` compare by value.
 */
export function semanticEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isEmpty(a)) return isEmpty(b);
  if (isEmpty(b)) return false;
  if (typeof a !== "object" || typeof b !== "object") {
    // biome-ignore lint/suspicious/noDoubleEquals: 1n and 1 are one JSON number
    return isNumber(a) && isNumber(b) && a == b;
  }
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => semanticEqual(item, b[index]));
  }
  if (Array.isArray(b)) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  for (const key in left) if (!semanticEqual(left[key], own(right, key))) return false;
  for (const key in right) if (!Object.hasOwn(left, key) && !isEmpty(right[key])) return false;
  return true;
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint";
}

function own(holder: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== "object") return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const _key in value) return false;
  return true;
}
