import { isCertainlyGo } from "@kubewright/cel/schema";
import type { Finding } from "../model/finding.ts";
import type { Site } from "../model/site.ts";
import { conjuncts } from "../model/walk.ts";

const verdicts = new Map<string, boolean>();

function isDoubtful(pattern: string): boolean {
  const isKnown = verdicts.get(pattern) ?? !isCertainlyGo(pattern);
  verdicts.set(pattern, isKnown);
  return isKnown;
}

/** Returns the patterns of a schema that need the library to be checked. */
export function doubtfulPatterns({ schema }: Site): string[] {
  if (schema.pattern === undefined && !schema.allOf) return [];
  return conjuncts(schema).flatMap(({ pattern }) => (pattern !== undefined && isDoubtful(pattern) ? [pattern] : []));
}

/** Returns the finding for a pattern that the API server can't compile. */
export function badPattern(pattern: string, problem: string): Finding {
  return {
    id: "bad-pattern",
    message: `the pattern isn't a valid Go regular expression: ${problem}`,
    hint: "Go uses RE2 syntax, without lookaround and backreferences",
    keywords: ["pattern"],
    matching: pattern,
  };
}
