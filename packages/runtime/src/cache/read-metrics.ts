/** A read that includes own writes. */
export type ReadOperation = "get" | "list";

/** How the wait of a read for its cache ended. */
export type ReadResult = "success" | "timeout" | "error";

/** Measures how long reads that include own writes wait until the cache can answer them. */
export interface ReadMetrics {
  /** Counts a read. The time is in milliseconds, and 0 for most reads: they wait only until a kind is in sync. */
  waited(operation: ReadOperation, result: ReadResult, milliseconds: number): void;
}

/** Returns the result of a read that failed while it waited. */
export function failedRead(error: unknown, signal: AbortSignal | undefined): ReadResult {
  const reasons = [error, signal?.reason];
  return reasons.some((reason) => reason instanceof Error && reason.name === "TimeoutError") ? "timeout" : "error";
}
