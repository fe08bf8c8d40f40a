import type { ErrorId } from "../diagnostics/errors/index.ts";

export type { ErrorId };

/** Why a value or a request can't be taken: one line that says what is wrong, what is allowed, and an example. */
export interface Problem {
  /** Stable, such as `bad-kind`. */
  readonly id: ErrorId;
  /** `input`: the call is malformed. `state`: the project refuses what is a correct call. */
  readonly kind: "input" | "state";
  readonly message: string;
  /** What to do about it, where that takes more than the message. */
  readonly hint?: string;
}

/** A malformed value. */
export function inputProblem(id: ErrorId, message: string, hint?: string): Problem {
  return { id, kind: "input", message, hint };
}

/** A correct call that the project's state refuses. */
export function stateProblem(id: ErrorId, message: string, hint?: string): Problem {
  return { id, kind: "state", message, hint };
}
