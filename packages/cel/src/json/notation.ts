import type { Json, JsonObject } from "./json.ts";

/** The texts of values in objects and lists, by keys and indexes. */
const texts = new WeakMap<object, Map<string | number, string>>();
/** False until a text is remembered, so that most processes never look for one. */
let isUsed = false;

/**
 * Remembers how a value was written, for example `1.0` or `1e2`: Go refuses such integers in typed fields, and JSON patches compare
 * texts.
 *
 * @param container - the object or list that contains the value
 * @param key - its key or index
 * @param text - the text in the document
 */
export function rememberText(container: object, key: string | number, text: string): void {
  isUsed = true;
  const ofContainer = texts.get(container);
  if (ofContainer === undefined) texts.set(container, new Map([[key, text]]));
  else ofContainer.set(key, text);
}

/**
 * Returns how a value was written, if that was remembered because it may differ from the server's own text.
 *
 * @param container - the object or list that contains the value
 * @param key - its key or index
 * @param value - the present value there
 * @returns the text, or `undefined` if it is the usual one
 */
export function writtenText(container: object, key: string | number, value: Json | undefined): string | undefined {
  const text = texts.get(container)?.get(key);
  if (text === undefined) return undefined;
  // Another value may have taken the place.
  return JSON.parse(text) === value ? text : undefined;
}

/**
 * Copies the texts of all values of an object or list to its copy.
 *
 * @param from - the object or list
 * @param to - its copy
 */
export function copyTexts(from: object, to: object): void {
  const ofSource = isUsed ? texts.get(from) : undefined;
  if (ofSource !== undefined) texts.set(to, new Map(ofSource));
}

/**
 * Copies the text of one value that moves to another object or list.
 *
 * @param from - the object or list that contains the value
 * @param fromKey - its key or index
 * @param to - the object or list to which it goes
 * @param toKey - the key or index there
 */
export function copyText(from: object, fromKey: string | number, to: object, toKey: string | number): void {
  const text = texts.get(from)?.get(fromKey);
  if (text !== undefined) rememberText(to, toKey, text);
  else texts.get(to)?.delete(toKey);
}

/** A whole number that was written with a fraction or an exponent. Go reads it as a float, as long as it isn't stored. */
export class WholeFloat {
  readonly value: number;

  /** @param value - the number */
  constructor(value: number) {
    this.value = value;
  }
}

/** @returns true if a number was written as a float, for example `1.0` or `1e2` */
export function isWrittenAsFloat(container: object, key: string | number, value: Json | undefined): boolean {
  return typeof value === "number" && isUsed && /[.eE]/.test(writtenText(container, key, value) ?? "");
}

/**
 * Replaces the whole numbers that were written as floats.
 *
 * @param value - a value; it isn't changed
 * @returns the value itself, or a copy with a {@link WholeFloat} in place of each of these numbers
 */
export function markFloats<T extends Json | undefined>(value: T): T {
  if (!isUsed || typeof value !== "object" || value === null) return value;
  let copy: Json[] | JsonObject | undefined;
  for (const [key, child] of Object.entries(value)) {
    const at = Array.isArray(value) ? Number(key) : key;
    const marked = isWrittenAsFloat(value, at, child)
      ? (new WholeFloat(child as number) as unknown as Json)
      : markFloats(child);
    if (marked === child) continue;
    copy ??= Array.isArray(value) ? [...value] : { ...(value as JsonObject) };
    (copy as JsonObject)[at] = marked as Json;
  }
  return (copy ?? value) as T;
}
