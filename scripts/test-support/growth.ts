import { expect } from "vitest";

/** Sizes between which the time of an operation is compared. */
export interface Sizes {
  /** The first size. Exponential operations should still end quickly with it. */
  from?: number;
  /** The largest size, for example that of the largest body that a server accepts. */
  to: number;
}

/** The processor time below which other costs than those of the operation dominate, in milliseconds. */
const measurable = 3;
/** How often a suspicious measurement is repeated. The least time counts, because a loaded machine only adds to it. */
const repetitions = 3;
/**
 * How much larger the inputs of the further measurements are, if the largest size permits. The first one is only a little
 * larger, so that exponential operations end.
 */
const factors = [1.25, 1.6, 4, 8, 16];
/** Quadratic operations take at most the largest factor times as long per unit of input, linear ones about as long. */
const limit = 6;
/** Only operations that seem to grow too much are tried so often: on a busy machine, even processor time varies by a factor of 3. */
const attempts = 10;

/**
 * Reports whether the processor time of an operation grows linearly with its input. Time of other processes doesn't count.
 *
 * @param run - the operation
 * @param prepare - makes the input of a size; its time doesn't count
 * @param sizes - the sizes to try
 * @returns false if a larger input takes much longer per unit than a smaller one, repeatedly
 */
export function isLinear<T>(run: (input: T) => unknown, prepare: (size: number) => T, sizes: Sizes): boolean {
  return leastGrowth(run, prepare, sizes) < limit;
}

/**
 * Expects that the processor time of an operation grows linearly with its input. Time of other processes doesn't count.
 *
 * @param run - the operation
 * @param prepare - makes the input of a size; its time doesn't count
 * @param sizes - the sizes to try
 */
export function expectLinear<T>(run: (input: T) => unknown, prepare: (size: number) => T, sizes: Sizes): void {
  const growth = leastGrowth(run, prepare, sizes);
  expect(growth, "time per unit of a larger input, compared with that of a smaller one").toBeLessThan(limit);
}

function leastGrowth<T>(run: (input: T) => unknown, prepare: (size: number) => T, sizes: Sizes): number {
  const measure = (size: number): number => timeOf(run, prepare(size));
  const ratios: number[] = [];
  do ratios.push(growth(measure, sizes));
  while (ratios.length < attempts && (ratios.at(-1) as number) >= limit);
  return Math.min(...ratios);
}

function growth(measure: (size: number) => number, { from = 8, to }: Sizes): number {
  const least = (size: number, times: number): number =>
    Math.min(...Array.from({ length: times }, () => measure(size)));
  let small = from;
  for (;;) {
    let time = measure(small);
    while (small * 2 <= to) {
      // The first calls take longer, because nothing is compiled yet.
      if (time >= measurable) time = least(small, repetitions);
      if (time >= measurable) break;
      small = Math.ceil(small * 1.25);
      time = measure(small);
    }
    let size = small;
    let ratio = 0;
    const ratioOf = (times: number): number => least(size, times) / Math.max(time, measurable) / (size / small);
    for (const factor of factors) {
      if (size === to || ratio >= limit) break;
      size = Math.min(Math.ceil(small * factor), to);
      ratio = ratioOf(1);
      // One measurement can be too long by chance.
      if (ratio >= limit) ratio = ratioOf(repetitions);
    }
    // Costs that don't grow hide those that do.
    if (ratio > 0.5 || size === to) return ratio;
    small = Math.ceil(size / 2);
  }
}

function timeOf<T>(run: (input: T) => unknown, input: T): number {
  const start = process.cpuUsage();
  run(input);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/**
 * Expects that the processor time of an asynchronous operation grows linearly between two sizes.
 *
 * @param prepare - makes the operation for a size; its time doesn't count
 * @param sizes - a small and a large size, with at least a factor of 8
 */
export async function expectLinearBetween(
  prepare: (size: number) => Promise<() => Promise<unknown>>,
  [small, large]: readonly [number, number],
): Promise<void> {
  const least = async (size: number): Promise<number> => {
    const run = await prepare(size);
    const times: number[] = [];
    for (let time = 0; time < repetitions; time++) {
      const start = process.cpuUsage();
      await run();
      const { user, system } = process.cpuUsage(start);
      times.push((user + system) / 1000);
    }
    return Math.min(...times);
  };
  await least(small);
  const ratios: number[] = [];
  do ratios.push((await least(large)) / Math.max(await least(small), measurable) / (large / small));
  while (ratios.length < attempts && (ratios.at(-1) as number) >= limit);
  expect(Math.min(...ratios), "time per unit of the large input, compared with that of the small one").toBeLessThan(
    limit,
  );
}
