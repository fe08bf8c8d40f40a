import type { ErrorId } from "../diagnostics/errors/index.ts";

export type { ErrorId };

/** Why a value or a call is rejected. */
export interface Problem {
  /** Stable, such as `bad-kind`. */
  readonly id: ErrorId;
  /** `input`: the call isn't valid. `state`: the project's state doesn't allow the call. */
  readonly kind: "input" | "state";
  /** One line with the rejected value, the rule, and an example. */
  readonly message: string;
  /** How to fix the problem, if the message doesn't make that clear. */
  readonly hint?: string;
}

/** Whether a result is a problem. Nothing else that is checked has a message. */
export function isProblem<T extends object>(result: T | Problem): result is Problem {
  return "message" in result;
}

/** Creates the problem of an invalid value. */
export function inputProblem(id: ErrorId, message: string, hint?: string): Problem {
  return { id, kind: "input", message, hint };
}

/** Creates the problem of a valid call that the project's state doesn't allow. */
export function stateProblem(id: ErrorId, message: string, hint?: string): Problem {
  return { id, kind: "state", message, hint };
}
