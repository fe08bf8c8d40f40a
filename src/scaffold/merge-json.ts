import { readJson } from "../yaml/json.ts";
import { isMap } from "./maps.ts";

type Json = unknown;

const same = (a: Json, b: Json) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Merges two sets of changes of a JSON text key by key, so that adjacent lines don't conflict. If both changed the same
 * value, the user's version wins. Returns undefined if one of the texts isn't a JSON object.
 */
export function mergeJson(base: string, yours: string, theirs: string): string | undefined {
  let values: Json[];
  try {
    values = [base, yours, theirs].map((text) => readJson(text) as Json);
  } catch {
    return undefined;
  }
  if (!values.every(isMap)) return undefined;
  const indent = /^[ \t]+/m.exec(yours)?.[0] ?? "  ";
  const text = `${JSON.stringify(mergeValues(values[0], values[1], values[2]), null, indent)}\n`;
  return yours.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}

function mergeValues(base: Json, yours: Json, theirs: Json): Json {
  if (isMap(yours) && isMap(theirs)) {
    const before = isMap(base) ? base : {};
    const keys = [...new Set([...Object.keys(yours), ...Object.keys(theirs)])];
    const entries = keys.map((key) => [key, mergeValues(before[key], yours[key], theirs[key])] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  return same(base, yours) ? theirs : yours;
}
