import { type Json, ShapeProblem } from "./decode.ts";

/** Reads JSON. Throws a `ShapeProblem` for what is none, and for an object with the same key twice. */
export function parseJson(text: string): Json {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    throw new ShapeProblem("", `not JSON: ${(error as Error).message}`);
  }
  const twice = duplicateKey(text);
  if (twice !== undefined) throw new ShapeProblem("", `the key ${JSON.stringify(twice)} is given twice`);
  return value;
}

/** The first key that an object of the text, which is valid JSON, has twice. */
function duplicateKey(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"\s*:?|[{}[\]]/g)) {
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
