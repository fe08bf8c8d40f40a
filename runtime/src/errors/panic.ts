/** Whether a thrown value shows a bug: it isn't an error, or the language itself throws it. Never throws. */
export function isPanic(thrown: unknown): boolean {
  try {
    if (!(thrown instanceof Error)) return true;
    if (thrown instanceof ReferenceError || thrown instanceof RangeError) return true;
    // fetch and its like throw TypeErrors with a cause when the network fails.
    return thrown instanceof TypeError && thrown.cause === undefined;
  } catch {
    // A revoked proxy, or an error with a getter that throws.
    return true;
  }
}
