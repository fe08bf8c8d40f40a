import type { Problem } from "../project/problem.ts";
import { ScaffoldError } from "../scaffold/scaffold-error.ts";
import { CliError, interrupted } from "./errors.ts";

/** A rule's problem as the error that ends the command: malformed calls give 2, a state that refuses gives 1. */
export function problemError(problem: Problem): CliError {
  return new CliError(problem.kind === "input" ? 2 : 1, problem.id, problem.message, problem.hint);
}

/** What was read, if it is no problem; else throws it. */
export function accepted<T extends object>(found: T | Problem): T {
  if (isProblem(found)) throw problemError(found);
  return found;
}

function isProblem<T extends object>(found: T | Problem): found is Problem {
  return "message" in found;
}

/** Throws the first problem of the list, in its order. */
export function refuse(problems: readonly (Problem | undefined)[]): void {
  const first = problems.find((problem) => problem !== undefined);
  if (first !== undefined) throw problemError(first);
}

/** Runs scaffolding work and turns its errors into the command line's. */
export async function scaffolding<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ScaffoldError)) throw error;
    throw error.id === "interrupted" ? interrupted() : new CliError(1, error.id, error.message, error.hint);
  }
}
