/** A range of costs or sizes, at most 2^64 - 1. */
export interface Range {
  min: number;
  max: number;
}

/** The largest cost, which larger ones are reduced to. */
export const maxCost: number = 2 ** 64;

const bounded = (value: number): number => (value >= maxCost ? maxCost : value);

/** The range of unknown sizes. */
export const unknown: Range = { min: 0, max: maxCost };

/** @returns a range of one value */
export const fixed = (value: number): Range => ({ min: value, max: value });

/** @returns the sum of two ranges */
export const add = (a: Range, b: Range): Range => ({ min: bounded(a.min + b.min), max: bounded(a.max + b.max) });

/** @returns the sum of two sizes */
export const addSizes: (a: Range, b: Range) => Range = add;

/** @returns the product of two ranges */
export const times = (a: Range, b: Range): Range => ({ min: bounded(a.min * b.min), max: bounded(a.max * b.max) });

/** @returns a range times a factor, rounded up */
export const scale = (a: Range, factor: number): Range => ({
  min: bounded(Math.ceil(a.min * factor)),
  max: bounded(Math.ceil(a.max * factor)),
});

/** @returns the smallest range that contains both */
export const union = (a: Range, b: Range): Range => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) });
