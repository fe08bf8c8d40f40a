import { errorText } from "../log/error-text.ts";

/** The error that stands for a recovered panic. Never throws. */
export function recovered(thrown: unknown): Error {
  try {
    if (!(thrown instanceof Error)) return new Error(`panic: ${errorText(thrown)} [recovered]`);
    const error = new Error(`panic: ${thrown.message} [recovered]`, { cause: thrown });
    if (thrown.stack) error.stack = thrown.stack;
    return error;
  } catch {
    // A revoked proxy, or an error with a getter that throws.
    return new Error("panic: a value that can't be read [recovered]");
  }
}
