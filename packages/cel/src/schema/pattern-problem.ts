import { RE2JS } from "re2js";
import { isCertainlyGo } from "../formats/plain-pattern.ts";
import { regexProblem } from "../formats/regex-problem.ts";
import { mayInterrupt } from "./slices.ts";

/** The length of all patterns whose problems are remembered. A definition is shorter, so none of its patterns is forgotten. */
const most = 4_000_000;

let recent = new Map<string, string | undefined>();
let older: typeof recent = new Map();
let length = 0;

/**
 * Returns why a pattern isn't a regular expression of Go. The problems of the last patterns are remembered, because the schemas of a
 * definition are checked several times.
 *
 * @param pattern - the pattern
 * @returns the message, or undefined for a valid expression
 */
export function patternProblem(pattern: string): string | undefined {
  // The library takes 75 ms for a pattern with many repetitions.
  if (isCertainlyGo(pattern)) return undefined;
  for (const cache of [recent, older]) if (cache.has(pattern)) return cache.get(pattern);
  mayInterrupt();
  const problem = problemOf(pattern);
  if (length > most) {
    older = recent;
    recent = new Map();
    length = 0;
  }
  recent.set(pattern, problem);
  length += pattern.length;
  return problem;
}

function problemOf(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return regexProblem(error);
  }
}
