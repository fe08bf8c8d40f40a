interface Level {
  holder: object;
  keys: readonly string[] | undefined;
  index: number;
  isEmpty: boolean;
}

/**
 * Serializes a value that is too deep for `JSON.stringify`, without recursion. `bigint` values become integers; everything
 * else is serialized like with `JSON.stringify`.
 *
 * @throws {TypeError} if the value contains itself
 */
export function stringifyDeep(value: unknown): string {
  const parts: string[] = [];
  const levels: Level[] = [];
  const ancestors = new Set<object>();

  const begin = (inner: unknown): void => {
    if (typeof inner !== "object" || inner === null) {
      parts.push(typeof inner === "bigint" ? String(inner) : JSON.stringify(inner));
      return;
    }
    if (ancestors.has(inner)) throw new TypeError("the value contains itself, so it can't be converted to JSON");
    ancestors.add(inner);
    const isList = Array.isArray(inner);
    parts.push(isList ? "[" : "{");
    levels.push({ holder: inner, keys: isList ? undefined : Object.keys(inner), index: 0, isEmpty: true });
  };

  begin(plain(value, ""));
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const { holder, keys } = level;
    const length = keys ? keys.length : (holder as unknown[]).length;
    if (level.index === length) {
      parts.push(keys ? "}" : "]");
      ancestors.delete(holder);
      levels.pop();
      continue;
    }
    const key = keys ? keys[level.index]! : String(level.index);
    level.index++;
    const inner = plain((holder as Record<string, unknown>)[key], key);
    if (keys && inner === undefined) continue;
    if (!level.isEmpty) parts.push(",");
    level.isEmpty = false;
    if (keys) parts.push(JSON.stringify(key), ":");
    begin(inner ?? null);
  }
  return parts.join("");
}

/** Returns the value that JSON contains instead of the given one, or `undefined` if the value is omitted. */
function plain(value: unknown, key: string): unknown {
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") return toJSON.call(value, key);
  return value instanceof String || value instanceof Number || value instanceof Boolean ? value.valueOf() : value;
}
