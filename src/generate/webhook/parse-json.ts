import { type Json, ShapeProblem } from "./decode.ts";

/** Parses JSON. Throws a `ShapeProblem` for invalid JSON, and for objects with duplicate keys. */
export function parseJson(text: string): Json {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    throw new ShapeProblem("", `not JSON: ${(error as Error).message}`);
  }
  const twice = duplicateKey(text);
  if (twice !== undefined) throw new ShapeProblem("", `duplicate key ${JSON.stringify(twice)}`);
  return value;
}

/** Returns the first duplicate key of an object in valid JSON. */
function duplicateKey(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*(?:"(?:\s*:)?|$)|[{}[\]]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token.endsWith(":")) {
      const key = JSON.parse(token.slice(0, -1)) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
  }
  return undefined;
}
