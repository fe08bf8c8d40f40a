import { catalogue, isDiagnosticId } from "./catalogue/index.ts";
import type { Level } from "./collector.ts";
import { didYouMean } from "./did-you-mean.ts";

/** What is wrong with a level that the user set. */
export interface LevelProblem {
  readonly message: string;
  readonly hint: string;
}

const levels: readonly Level[] = ["off", "warning", "error"];

/**
 * Reads the levels that a user gave to diagnostics, by id: `off`, `warning` or `error`. YAML of the older kind makes
 * `false` of `off`, so that is one, too. Errors without which what is written would be wrong can't be turned down.
 */
export function readLevels(
  given: unknown,
): { readonly levels: Readonly<Record<string, Level>> } | { readonly problems: readonly LevelProblem[] } {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    const hint = "write one line for each id, such as `crd-too-big: off`";
    return { problems: [{ message: "diagnostics is no map of ids", hint }] };
  }
  const problems: LevelProblem[] = [];
  const found: [string, Level][] = [];
  for (const [id, value] of Object.entries(given)) {
    const level = value === false ? "off" : levels.find((each) => each === value);
    const problem = levelProblem(id, value, level);
    if (problem) problems.push(problem);
    else if (level) found.push([id, level]);
  }
  return problems.length > 0 ? { problems } : { levels: Object.fromEntries(found) };
}

function levelProblem(id: string, value: unknown, level: Level | undefined): LevelProblem | undefined {
  if (!isDiagnosticId(id)) {
    const near = didYouMean(id, Object.keys(catalogue));
    const hint = near === undefined ? "docs/reference/diagnostics.md lists all of them" : `did you mean \`${near}\`?`;
    return { message: `there is no diagnostic ${JSON.stringify(id)}`, hint };
  }
  if (level === undefined) {
    const message = `${id} can't be turned to ${JSON.stringify(value)}`;
    return { message, hint: `write ${id}: ${levels.join(", or ")}` };
  }
  if (catalogue[id].adjustable || level === "error") return undefined;
  return {
    message: `${id} can't be turned to ${level}: what is written would be wrong or missing`,
    hint: "take the line away and correct what is reported",
  };
}
