/** Checks whether a thrown value indicates a bug: it isn't an error, or it is an error of the language. Never throws. */
export function isPanic(thrown: unknown): boolean {
  try {
    if (!(thrown instanceof Error)) return true;
    if (thrown instanceof ReferenceError || thrown instanceof RangeError) return true;
    // Functions such as fetch throw a TypeError with a cause if the network fails.
    return thrown instanceof TypeError && thrown.cause === undefined;
  } catch {
    // The value is a revoked proxy, or an error whose getter throws.
    return true;
  }
}
