import type { Level } from "./collector.ts";
import { definitions, isDiagnosticId } from "./definitions/index.ts";
import { didYouMean, similarHint } from "./did-you-mean.ts";

/** A problem with a configured level. */
export interface LevelProblem {
  readonly message: string;
  readonly hint: string;
}

const levels: readonly Level[] = ["off", "warning", "error"];

/**
 * Parses the configured levels of diagnostics, by id: `off`, `warning` or `error`. YAML 1.1 reads `off` as `false`, which is accepted
 * too. The level of an error that prevents wrong output can't be lowered.
 */
export function readLevels(
  given: unknown,
): { readonly levels: Readonly<Record<string, Level>> } | { readonly problems: readonly LevelProblem[] } {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    const hint = "write one line per id, such as `crd-too-big: off`";
    return { problems: [{ message: "diagnostics must be a map of ids to levels", hint }] };
  }
  const problems: LevelProblem[] = [];
  const entries: [string, Level][] = [];
  for (const [id, value] of Object.entries(given)) {
    const level = value === false ? "off" : levels.find((level) => level === value);
    const problem = levelProblem(id, value, level);
    if (problem) problems.push(problem);
    else if (level) entries.push([id, level]);
  }
  return problems.length > 0 ? { problems } : { levels: Object.fromEntries(entries) };
}

function levelProblem(id: string, value: unknown, level: Level | undefined): LevelProblem | undefined {
  if (!isDiagnosticId(id)) {
    const hint = similarHint(id, Object.keys(definitions), "see docs/reference/diagnostics.md for all ids");
    return { message: `unknown diagnostic ${JSON.stringify(id)}`, hint };
  }
  if (level === undefined) {
    const message = `${id}: ${JSON.stringify(value)} isn't a valid level`;
    const near = typeof value === "string" ? didYouMean(value, levels) : undefined;
    return { message, hint: near === undefined ? `set ${id} to off, warning or error` : `did you mean ${near}?` };
  }
  if (definitions[id].adjustable || level === "error") return undefined;
  return {
    message: `${id} can't be set to ${level}: the output would be wrong or missing`,
    hint: "remove the line, and fix the reported errors",
  };
}
