// Limits the search in cyclic chains of causes.
const MAX_DEPTH = 32;

/** Returns the first error of a class in an error or its chain of causes. Never throws. */
export function findCause<T extends Error>(error: unknown, type: abstract new (...args: never[]) => T): T | undefined {
  try {
    let current = error;
    for (let depth = 0; depth < MAX_DEPTH && current instanceof Error; depth++) {
      if (current instanceof type) return current;
      current = current.cause;
    }
  } catch {
    // The value is a revoked proxy, or an error whose getter throws.
  }
  return undefined;
}
