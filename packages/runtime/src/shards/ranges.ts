/** Hashes from `start` (inclusive) to `end` (exclusive). */
export interface HashRange {
  readonly start: bigint;
  readonly end: bigint;
}

/** The number of hashes, which is the end of the last range. */
export const hashCount: bigint = 1n << 64n;

/** The range of all hashes. */
export const everything: HashRange = Object.freeze({ start: 0n, end: hashCount });

/** Formats a hash as in `shardSelector`: 16 hexadecimal digits, and 17 for 2^64. */
export function formatHash(hash: bigint): string {
  return `0x${hash.toString(16).padStart(16, "0")}`;
}

/** Parses a hash. Returns `undefined` for text that {@link formatHash} doesn't return. */
export function parseHash(text: unknown): bigint | undefined {
  if (typeof text !== "string" || !/^0x(?:[0-9a-f]{16}|10{16})$/.test(text)) return undefined;
  return BigInt(text);
}

/** Returns the ranges in order, with overlapping and neighboring ones merged, and without empty ones. */
export function mergeRanges(ranges: readonly HashRange[]): HashRange[] {
  const merged: HashRange[] = [];
  for (const range of ranges.filter(({ start, end }) => start < end).sort(byStart)) {
    const last = merged.at(-1);
    if (!last || last.end < range.start) merged.push({ start: range.start, end: range.end });
    else if (last.end < range.end) merged[merged.length - 1] = { start: last.start, end: range.end };
  }
  return merged;
}

/** Returns the hashes of `ranges` that aren't in `others`. */
export function subtractRanges(ranges: readonly HashRange[], others: readonly HashRange[]): HashRange[] {
  let rest = mergeRanges(ranges);
  for (const other of mergeRanges(others)) {
    rest = rest.flatMap(({ start, end }) =>
      [
        { start, end: end < other.start ? end : other.start },
        { start: start > other.end ? start : other.end, end },
      ].filter((part) => part.start < part.end),
    );
  }
  return rest;
}

/** Returns the hashes that are in `ranges` and in `others`. */
export function intersectRanges(ranges: readonly HashRange[], others: readonly HashRange[]): HashRange[] {
  return subtractRanges(ranges, subtractRanges([everything], others));
}

/** Checks whether a hash is in one of the ranges, which are merged: sorted and without overlaps. */
export function containsHash(ranges: readonly HashRange[], hash: bigint): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranges[middle]!.end <= hash) low = middle + 1;
    else high = middle;
  }
  return low < ranges.length && ranges[low]!.start <= hash;
}

/** Orders ranges by their start. */
export function byStart(a: HashRange, b: HashRange): number {
  return a.start < b.start ? -1 : a.start > b.start ? 1 : 0;
}
