export interface Sample {
  /** Since the start. */
  minute: number;
  /** Bytes, after a garbage collection. */
  heapUsed: number;
  /** The part of the heap that compiled code and its metadata take. */
  code: number;
  external: number;
  rss: number;
  reconciles: number;
  changes: number;
  /** Numbers of entries in queue, own writes and caches. */
  sizes: Record<string, number>;
  /** Messages of all lost reviews so far. */
  lostReviews: readonly string[];
  contradictions: readonly string[];
}

export interface SoakReport {
  samples: readonly Sample[];
  mishaps: ReadonlyMap<string, number>;
  changes: number;
  failedChanges: number;
  /** Milliseconds from the last fault until everything was reconciled. */
  settledAfter: number;
  /** One line per missed change. */
  missed: readonly string[];
  /** One line per size that doesn't return to its initial value after all objects were deleted. */
  drained: readonly string[];
  /** Number of serving certificates that the webhook has used. */
  certificates: number;
  reviews: number;
  lostReviews: ReadonlyMap<string, number>;
  takeOvers: number;
  namespaces: number;
  contradictions: readonly string[];
  unhandled: number;
  exitCode: number | null;
  /** The operator's log file. */
  log: string;
}

/** The allowed growth of the heap; 0.05 is five percent. */
export const allowedGrowth = 0.05;

/** Returns the minute from which growth counts, when all code is compiled and all caches are full. */
export function warmUpOf(minutes: number): number {
  return Math.min(10, minutes / 3);
}

/**
 * Compares the heap after the warm-up with the heap at the end. Each is the median of the samples of five minutes, or of a
 * third of the remaining time in short runs.
 *
 * @returns the bytes of both, and the growth; 0.1 is ten percent
 */
export function heapGrowth(samples: readonly Sample[]): { from: number; to: number; growth: number } {
  const minutes = samples.at(-1)?.minute ?? 0;
  const warmUp = warmUpOf(minutes);
  const window = Math.min(5, (minutes - warmUp) / 3);
  const median = (some: readonly Sample[]): number =>
    some.map(({ heapUsed }) => heapUsed).sort((a, b) => a - b)[Math.floor(some.length / 2)] ?? Number.NaN;
  const from = median(samples.filter(({ minute }) => minute >= warmUp && minute <= warmUp + window));
  const to = median(samples.filter(({ minute }) => minute >= minutes - window));
  return { from, to, growth: to / from - 1 };
}

/** Returns the limits that the run missed, one line each. */
export function judge(report: SoakReport, allowed: number = allowedGrowth): string[] {
  const { samples, missed, drained, lostReviews, contradictions, unhandled, exitCode } = report;
  const { growth } = heapGrowth(samples);
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  return [
    // Not `>`, because without samples, the growth is NaN.
    growth <= allowed ? "" : `the heap has grown by ${percent(growth)}: ${percent(allowed)} is allowed`,
    ...missed.map((line) => `missed: ${line}`),
    ...drained.map((line) => `not back at its start value: ${line}`),
    ...[...lostReviews].map(([message, count]) => `${count} reviews lost: ${message}`),
    ...contradictions,
    unhandled > 0 ? `${unhandled} unhandled rejections` : "",
    exitCode === 0 ? "" : `exit code ${exitCode}`,
  ].filter(Boolean);
}
