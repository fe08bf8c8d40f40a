import { decodeJson } from "./decode.ts";
import type { Json, JsonObject } from "./json.ts";
import { copyTexts } from "./notation.ts";

/**
 * Copies a value of any depth.
 *
 * @param value - a value
 * @returns an equal value that shares no object or list with it
 */
export function cloneJson<T extends Json | undefined>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  const root = shallow(value as Json[] | JsonObject);
  const pending = [root];
  for (let target = pending.pop(); target !== undefined; target = pending.pop()) {
    if (Array.isArray(target)) {
      for (let index = 0; index < target.length; index++) {
        const child = target[index];
        if (typeof child !== "object" || child === null) continue;
        const copy = shallow(child);
        target[index] = copy;
        pending.push(copy);
      }
    } else {
      for (const key in target) {
        const child = target[key];
        if (typeof child !== "object" || child === null) continue;
        const copy = shallow(child);
        setKey(target, key, copy);
        pending.push(copy);
      }
    }
  }
  return root as T;
}

function shallow(value: Json[] | JsonObject): Json[] | JsonObject {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copyTexts(value, copy);
  return copy;
}

/**
 * Sets a key of an object, also a key named `__proto__`.
 *
 * @param object - the object
 * @param key - the key
 * @param value - the value
 */
export function setKey(object: JsonObject, key: string, value: Json): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/**
 * Compares two values of any depth. Keys with the value `undefined` count as absent.
 *
 * @param left - a value
 * @param right - a value
 * @returns true if they are equal
 */
export function equalJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  const pending: (Json | undefined)[] = [left, right];
  while (pending.length > 0) {
    const b = pending.pop();
    const a = pending.pop();
    if (a === b) continue;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    if (Array.isArray(a) || Array.isArray(b)) {
      if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
      for (let index = 0; index < a.length; index++) pending.push(a[index], b[index]);
      continue;
    }
    let keys = 0;
    for (const key in a) {
      if (a[key] === undefined) continue;
      if (!Object.hasOwn(b, key) || b[key] === undefined) return false;
      keys++;
      pending.push(a[key], b[key]);
    }
    for (const key in b) if (b[key] !== undefined) keys--;
    if (keys !== 0) return false;
  }
  return true;
}

/**
 * Encodes a value as JSON as Go's `json.Marshal` does for structs: keys in their own order, and `<`, `>` and `&` as escapes.
 * Integers can have 64 bits (`bigint`), and the value can have any depth.
 *
 * @param value - the value
 * @returns the text
 */
export function encodeJson(value: Json): string {
  try {
    return escapeAsGo(JSON.stringify(value));
  } catch {
    // A bigint, or more levels than the stack has room for.
    return encodeSlowly(value, "own");
  }
}

/**
 * Encodes a value as {@link encodeJson} does, with an indentation.
 *
 * @param value - the value
 * @param indentation - the number of spaces
 * @returns the text
 */
export function encodePretty(value: Json, indentation = 2): string {
  let bigints = 0;
  const format = (marker: string) =>
    JSON.stringify(
      value,
      (_key, item: unknown) => {
        if (typeof item !== "bigint") return item;
        bigints++;
        return `${marker}${item}`;
      },
      indentation,
    );
  const text = format("");
  if (bigints === 0) return escapeAsGo(text);
  // A start of strings that no other string has.
  let marker = "#";
  while (text.includes(`"${marker}`)) marker += "#";
  return escapeAsGo(format(marker)).replace(new RegExp(`"${marker}(-?\\d+)"`, "g"), "$1");
}

/**
 * Encodes a value as Go's `json.Marshal` does for maps: keys in order of bytes, and `<`, `>` and `&` as escapes.
 *
 * @param value - the value
 * @returns the text
 */
export function encodeSorted(value: Json): string {
  try {
    const text = JSON.stringify(withSortedKeys(value));
    // Bytes and UTF-16 have another order only from the surrogates on.
    if (!/[\ud800-\uffff]/.test(text)) return escapeAsGo(text);
  } catch {
    // A bigint, more levels than the stack has room for, or keys that objects can't have in this order.
  }
  return encodeSlowly(value, "sorted");
}

/** Copies only what isn't sorted: most objects are, since the storage has sorted keys. Copying all took five times as long. */
function withSortedKeys(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== "object")) return value;
    const items = value.map(withSortedKeys);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const keys = Object.keys(value);
  let isSorted = true;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    const first = key.charCodeAt(0);
    // JavaScript puts the keys of lists first, in numeric order.
    if ((first >= 48 && first <= 57) || key === "__proto__") throw new RangeError(key);
    if (index > 0 && (keys[index - 1] as string) > key) isSorted = false;
  }
  if (!isSorted) {
    const sorted: JsonObject = {};
    for (const key of keys.sort()) sorted[key] = withSortedKeys(value[key] as Json);
    return sorted;
  }
  let changed: JsonObject | undefined;
  for (const key of keys) {
    const part = value[key] as Json;
    const inner = withSortedKeys(part);
    if (inner === part) continue;
    changed ??= { ...value };
    changed[key] = inner;
  }
  return changed ?? value;
}

function encodeSlowly(value: Json, order: "own" | "sorted"): string {
  const parts: string[] = [];
  const pending: ({ text: string } | { value: Json })[] = [{ value }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ("text" in next) parts.push(next.text);
    else if (typeof next.value === "string") parts.push(goString(next.value));
    else if (typeof next.value === "number") parts.push(JSON.stringify(next.value));
    else if (typeof next.value !== "object" || next.value === null) parts.push(String(next.value));
    else if (Array.isArray(next.value)) {
      pending.push({ text: "]" });
      for (let index = next.value.length - 1; index >= 0; index--) {
        pending.push({ value: next.value[index] as Json });
        if (index > 0) pending.push({ text: "," });
      }
      pending.push({ text: "[" });
    } else {
      const object = next.value;
      const keys = Object.keys(object).filter((key) => object[key] !== undefined);
      if (order === "sorted") keys.sort(compareBytes);
      pending.push({ text: "}" });
      for (let index = keys.length - 1; index >= 0; index--) {
        const key = keys[index] as string;
        pending.push({ value: object[key] as Json }, { text: `${index > 0 ? "," : ""}${goString(key)}:` });
      }
      pending.push({ text: "{" });
    }
  }
  return parts.join("");
}

function goString(text: string): string {
  return escapeAsGo(JSON.stringify(text));
}

/**
 * Escapes the characters in JSON that Go's `encoding/json` escapes: `<`, `>`, `&` and the separators of lines.
 *
 * @param json - JSON, in which only strings contain these characters
 * @returns the JSON with escapes
 */
export function escapeAsGo(json: string): string {
  // A test is faster than a search for all, and few texts contain one.
  if (!/[<>&\u2028\u2029]/.test(json)) return json;
  return json.replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * Compares two texts by their UTF-8 bytes, as Go sorts.
 *
 * @param left - a text
 * @param right - a text
 * @returns a negative number, 0 or a positive number
 */
export function compareBytes(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    // Surrogates sort after all other characters in UTF-8.
    const aHigh = a >= 0xd800 && a <= 0xdfff;
    const bHigh = b >= 0xd800 && b <= 0xdfff;
    if (aHigh !== bHigh) return aHigh ? 1 : -1;
    return a - b;
  }
  return left.length - right.length;
}

/**
 * Sorts the keys of all objects in a value by their bytes, as Go encodes maps.
 *
 * @param value - a value
 * @returns a copy with sorted keys
 */
export function sortKeys(value: Json): Json {
  return typeof value === "object" && value !== null ? decodeJson(encodeSorted(value)).value : value;
}

/**
 * Orders the keys of an object, for example as the fields of a struct of Go.
 *
 * @param object - the object
 * @param keys - the keys that come first; all others follow in their present order
 * @returns a copy
 */
export function orderedBy(object: object, keys: readonly string[]): JsonObject {
  const ordered: JsonObject = {};
  for (const key of keys) {
    const value = (object as JsonObject)[key];
    if (value !== undefined) ordered[key] = value;
  }
  return Object.assign(ordered, object);
}

/**
 * Formats a decoded number as Go's `%v` does. Integers that the decoder keeps exact have no exponent.
 *
 * @param value - the number
 * @returns for example `5`, `0.5` or `1e+21`
 */
export function goNumber(value: number | bigint): string {
  return typeof value === "bigint" || Number.isSafeInteger(value) ? String(value) : goFloat(value);
}

/**
 * Formats a float as Go's `%v` does: with an exponent below 1e-4 and from 1e6 on.
 *
 * @param value - the float
 * @returns for example `0.5`, `1e-05` or `1e+06`
 */
export function goFloat(value: number): string {
  const [digits, exponent] = value.toExponential().split("e") as [string, string];
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}
