import type { DevProblem } from "./problem.ts";

/** Ids of the errors that the parser of TypeScript reports. */
const syntaxError = /^(?:syntax-error|TS1\d{3})$/;

/**
 * Returns each problem once. Of the syntax errors of a file, only the first one remains: the parser reports up to a hundred
 * more as its consequence.
 */
export function distinctProblems(problems: readonly DevProblem[]): DevProblem[] {
  const seen = new Set<string>();
  return problems.filter(({ id = "", file = "", line = 0, column = 0, message }) => {
    const key =
      syntaxError.test(id) && file !== "" ? `syntax of ${file}` : [id, file, line, column, message].join("\n");
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Leaves out the syntax errors of files whose syntax another step has reported. */
export function withoutReportedSyntax(
  problems: readonly DevProblem[],
  reported: readonly DevProblem[],
): readonly DevProblem[] {
  const files = new Set(
    reported
      .filter(({ phase, id = "" }) => phase === "bundle" || syntaxError.test(id))
      .flatMap(({ file }) => file ?? []),
  );
  return problems.filter(({ id = "", file = "" }) => !(syntaxError.test(id) && files.has(file)));
}
