import { RE2JS } from "re2js";
import { isCertainlyGo } from "../../formats/plain-pattern.ts";
import { regexProblem } from "../../formats/regex-problem.ts";
import { define, type Functions } from "../declarations/function.ts";
import { EvaluationError } from "../values/evaluation-error.ts";
import { LimitedMap } from "../values/limited-map.ts";
import { ArrayList } from "../values/value.ts";

const compiled = new LimitedMap<string, RE2JS>(500);

/**
 * Compiles a regular expression of RE2.
 *
 * @param pattern - the regular expression
 * @returns the compiled expression, from a cache of bounded size
 * @throws an Error with the reason in Go's words if the expression isn't valid
 */
export function compilePattern(pattern: string): RE2JS {
  const cached = compiled.get(pattern);
  if (cached !== undefined) return cached;
  const regex = RE2JS.compile(pattern);
  compiled.set(pattern, regex);
  return regex;
}

/** @returns why the regular expression of a constant isn't valid, or undefined if it is; plain ones aren't compiled for it */
export function constantPatternProblem(pattern: string): string | undefined {
  return isCertainlyGo(pattern) ? undefined : patternProblem(pattern);
}

function patternProblem(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    return regexProblem(error);
  }
}

/** @returns true if a part of the text matches the regular expression */
export function matches(text: string, pattern: string): boolean {
  const problem = patternProblem(pattern);
  if (problem !== undefined) throw new EvaluationError(problem);
  return compilePattern(pattern).matcher(text).find();
}

function find(text: string, pattern: string, limit: bigint): string[] {
  const problem = patternProblem(pattern);
  if (problem !== undefined) throw new EvaluationError(`Illegal regex: ${problem}`);
  const matcher = compilePattern(pattern).matcher(text);
  const matches: string[] = [];
  while ((limit < 0n || BigInt(matches.length) < limit) && matcher.find()) matches.push(matcher.group() as string);
  return matches;
}

/**
 * Declares `find` and `findAll`.
 *
 * @param functions - receives the declarations
 */
export function defineRegex(functions: Functions): void {
  define(functions, "find", [
    "string_find_string",
    "string.(string) -> string",
    (text: string, pattern: string) => find(text, pattern, 1n)[0] ?? "",
  ]);
  const all = (text: string, pattern: string, limit = -1n) => new ArrayList(find(text, pattern, limit));
  define(
    functions,
    "findAll",
    ["string_find_all_string", "string.(string) -> list(string)", all],
    ["string_find_all_string_int", "string.(string, int) -> list(string)", all],
  );
}
