/** What a bug looks like: something thrown that is no error, or an error that the language itself throws. */
export function isPanic(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return true;
  if (thrown instanceof ReferenceError || thrown instanceof RangeError) return true;
  // fetch and its like throw TypeErrors with a cause when the network fails.
  return thrown instanceof TypeError && thrown.cause === undefined;
}

/** The error that stands for a recovered panic. */
export function recovered(thrown: unknown): Error {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const error = new Error(`panic: ${text} [recovered]`, thrown instanceof Error ? { cause: thrown } : undefined);
  if (thrown instanceof Error && thrown.stack) error.stack = thrown.stack;
  return error;
}
