import type { Clock } from "../clock/clock.ts";

/** A read that includes own writes. */
export type ReadOperation = "get" | "list";

/** How the wait of a read for its cache ended. */
export type ReadResult = "success" | "timeout" | "error";

/** Measures how long reads that include own writes wait until the cache can answer them. */
export interface ReadMetrics {
  /** Counts a read. The time is in milliseconds, and 0 for most reads: they wait only until a kind is in sync. */
  waited(operation: ReadOperation, result: ReadResult, milliseconds: number): void;
}

/** A read that is measured. */
interface MeasuredRead {
  operation: ReadOperation;
  metrics(): ReadMetrics | undefined;
  clock: Clock;
  signal: AbortSignal | undefined;
}

/** Measures how long a read waits for its informer. Reads without an informer are answered by the API server. */
export async function measureRead<I>(
  { operation, metrics, clock, signal }: MeasuredRead,
  informer: Promise<I | undefined>,
): Promise<I | undefined> {
  const start = clock.now();
  try {
    const result = await informer;
    if (result !== undefined) metrics()?.waited(operation, "success", clock.now() - start);
    return result;
  } catch (error) {
    metrics()?.waited(operation, failedRead(error, signal), clock.now() - start);
    throw error;
  }
}

/** Returns the result of a read that failed while it waited. */
function failedRead(error: unknown, signal: AbortSignal | undefined): ReadResult {
  const reasons = [error, signal?.reason];
  return reasons.some((reason) => reason instanceof Error && reason.name === "TimeoutError") ? "timeout" : "error";
}
