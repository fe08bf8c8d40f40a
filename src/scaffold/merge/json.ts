import { isDeepStrictEqual } from "node:util";
import { readJson } from "../../yaml/json.ts";
import { printedLike } from "../text/json-style.ts";
import { isMap } from "../text/maps.ts";
import { mergeText } from "./text.ts";

type Json = unknown;

/**
 * Merges two sets of changes of a JSON text key by key, so that adjacent lines don't conflict. If both changed the same
 * value, the user's version wins. Preserves the user's layout if a merge of the lines has the same result. Returns undefined
 * if one of the texts isn't a JSON object.
 *
 * @param base the text that was scaffolded
 * @param yours the user's version
 * @param next the text that would be scaffolded now
 */
export function mergeJson(base: string, yours: string, next: string): string | undefined {
  const values = [base, yours, next].map(valuesIn);
  if (!values.every(isMap)) return undefined;
  const merged = mergeValues(values[0], values[1], values[2]);
  const lines = mergeText(base, yours, next);
  if (lines.conflicts === 0 && isDeepStrictEqual(valuesIn(lines.text), merged)) return lines.text;
  return printedLike(yours, merged);
}

/** Returns undefined for a text that isn't JSON. */
function valuesIn(text: string): Json {
  try {
    return readJson(text) as Json;
  } catch {
    return undefined;
  }
}

function mergeValues(base: Json, yours: Json, next: Json): Json {
  if (isMap(yours) && isMap(next)) {
    const before = isMap(base) ? base : {};
    const keys = [...new Set([...Object.keys(yours), ...Object.keys(next)])];
    const entries = keys.map((key) => [key, mergeValues(before[key], yours[key], next[key])] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  return JSON.stringify(base) === JSON.stringify(yours) ? next : yours;
}
