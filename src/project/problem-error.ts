import type { ErrorId } from "./problem.ts";

/** An expected failure of scaffolding or of a task. The CLI converts it to a message and exit code 1. */
export class ProblemError extends Error {
  /** Stable, such as `missing-anchor`. */
  readonly id: ErrorId | "interrupted";
  readonly hint?: string;

  constructor(id: ProblemError["id"], message: string, hint?: string) {
    super(message);
    this.name = "ProblemError";
    this.id = id;
    this.hint = hint;
  }
}
