import { type Finding, validation } from "../finding.ts";
import type { Site } from "../site.ts";
import { conjuncts } from "../walk.ts";
import { isCertainlyGo } from "./plain.ts";

/** The patterns of a schema that only the library can judge. */
export function doubtfulPatterns({ schema }: Site): string[] {
  if (schema.pattern === undefined && !schema.allOf) return [];
  return conjuncts(schema).flatMap(({ pattern }) => (pattern === undefined || isCertainlyGo(pattern) ? [] : [pattern]));
}

/** A pattern that the API server can't compile. */
export function badPattern(pattern: string, problem: string): Finding {
  return {
    id: "bad-pattern",
    message: `the pattern is no regular expression of Go: ${problem}`,
    hint: "Go reads RE2, which has no look-around and no back-references",
    markers: [validation("Pattern")],
    says: pattern,
  };
}
