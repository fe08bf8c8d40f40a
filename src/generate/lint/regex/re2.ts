import { RE2JS } from "re2js";

/** Why Go would not compile a pattern; undefined if it would. */
export function patternProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return text.replace(/^error parsing regexp: /, "");
  }
}
