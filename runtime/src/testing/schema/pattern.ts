import { RE2JS } from "re2js";

const compiled = new Map<string, RE2JS>();

/**
 * Whether a pattern of a schema matches in a text. The engine is RE2, as in API servers: it takes time in proportion to the text,
 * whatever the pattern.
 *
 * @throws Error for a pattern that isn't a regular expression of Go: no API server would have taken its CRD
 */
export function matchesPattern(pattern: string, text: string): boolean {
  let found = compiled.get(pattern);
  if (!found) {
    found = compile(pattern);
    compiled.set(pattern, found);
  }
  return found.test(text);
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const reason = (error as Error).message.replace(/^error parsing regexp: /, "");
    throw new Error(`fakeClient can't use the pattern ${pattern}: it must be a regular expression of Go: ${reason}`, {
      cause: error,
    });
  }
}
