import type { ErrorId } from "../project/problem.ts";

/** Why the tree can't be changed. The CLI converts it to a message and exit code. */
export class ScaffoldError extends Error {
  /** Stable, such as `missing-anchor`. */
  readonly id: ErrorId | "interrupted";
  readonly hint?: string;

  constructor(id: ScaffoldError["id"], message: string, hint?: string) {
    super(message);
    this.name = "ScaffoldError";
    this.id = id;
    this.hint = hint;
  }
}
