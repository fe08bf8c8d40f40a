import { errorText } from "../log/error-text.ts";

/** The error that stands for a recovered panic. */
export function recovered(thrown: unknown): Error {
  const text = thrown instanceof Error ? thrown.message : errorText(thrown);
  const error = new Error(`panic: ${text} [recovered]`, thrown instanceof Error ? { cause: thrown } : undefined);
  if (thrown instanceof Error && thrown.stack) error.stack = thrown.stack;
  return error;
}
