/** An error of the evaluation of an expression. */
export class EvaluationError extends Error {}

/** The evaluation was stopped because its cost exceeds the limit. */
export class CostLimitExceeded extends EvaluationError {
  constructor() {
    super("operation cancelled: actual cost limit exceeded");
  }
}

/**
 * Creates the error for operands of types that an operation doesn't support.
 *
 * @param fn - the function, if the message names it
 * @param types - the types of the arguments
 * @returns the error
 */
export function noSuchOverload(fn?: string, types?: readonly string[]): EvaluationError {
  if (fn === undefined) return new EvaluationError("no such overload");
  return new EvaluationError(`no such overload: ${fn}${types === undefined ? "" : `(${types.join(", ")})`}`);
}
