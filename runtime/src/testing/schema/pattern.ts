import { RE2JS } from "re2js";

const compiled = new Map<string, RE2JS>();

/**
 * Checks whether a schema's pattern matches a string. Uses RE2, like API servers: the time is proportional to the length of
 * the string, for every pattern.
 *
 * @throws Error if the pattern isn't a valid Go regular expression: API servers reject such a CRD
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
