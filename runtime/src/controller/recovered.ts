import { errorText } from "../log/error-text.ts";

/** Returns the error that represents a recovered panic. Never throws. */
export function recovered(thrown: unknown): Error {
  try {
    if (!(thrown instanceof Error)) return new Error(`panic: ${errorText(thrown)} [recovered]`);
    const error = new Error(`panic: ${thrown.message} [recovered]`, { cause: thrown });
    if (thrown.stack) error.stack = thrown.stack;
    return error;
  } catch {
    // The value is a revoked proxy, or an error whose getter throws.
    return new Error("panic: a value that can't be read [recovered]");
  }
}
