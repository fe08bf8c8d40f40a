import { isProblem, type Problem } from "../../project/problem.ts";
import { ProblemError } from "../../project/problem-error.ts";
import { CliError, interrupted } from "./errors.ts";

/** Converts a problem to the error that ends the command, with exit code 2 for invalid input and 1 for an invalid state. */
export function problemError(problem: Problem): CliError {
  return new CliError(problem.kind === "input" ? 2 : 1, problem.id, problem.message, problem.hint);
}

/**
 * Returns a value that isn't a problem.
 *
 * @throws CliError for a problem
 */
export function accepted<T extends object>(result: T | Problem): T {
  if (isProblem(result)) throw problemError(result);
  return result;
}

/**
 * Checks a list of possible problems.
 *
 * @throws CliError for the first problem
 */
export function refuse(problems: readonly (Problem | undefined)[]): void {
  const first = problems.find((problem) => problem !== undefined);
  if (first !== undefined) throw problemError(first);
}

/** Runs work and converts the problem that it throws to a `CliError`. */
export async function withCliErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProblemError ? thrownProblem(error) : error;
  }
}

/** Converts a thrown problem to the error that ends the command. */
export function thrownProblem({ id, message, hint }: ProblemError): CliError {
  return id === "interrupted" ? interrupted() : new CliError(1, id, message, hint);
}
