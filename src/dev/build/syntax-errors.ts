import type { DevProblem } from "@kubewright/dashboard/protocol";

/** Ids of the errors that a parser of TypeScript reports: that of the generator, and those of the compiler. */
const syntaxError = /^(?:syntax-error|TS1\d{3})$/;

/** Whether a parser of TypeScript has reported a problem. */
export function isSyntaxError({ id = "" }: DevProblem): boolean {
  return syntaxError.test(id);
}

/** Leaves out all but the first syntax error of each file: the compiler reports up to a hundred more as its consequence. */
export function firstSyntaxErrors(problems: readonly DevProblem[]): DevProblem[] {
  const seen = new Set<string>();
  return problems.filter(({ id = "", file }) => {
    if (!syntaxError.test(id) || file === undefined) return true;
    return !seen.has(file) && Boolean(seen.add(file));
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
