// Summaries of measured values.

/**
 * Returns the value that the given share of values doesn't exceed; `NaN` without values.
 *
 * @param share - 0.99 for the value that 99 % of the values don't exceed
 */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN;
}

/** Returns the median, of two values in the middle the higher one; `NaN` without values. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

/** Runs something. Resolves to its milliseconds. */
export async function elapsed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
