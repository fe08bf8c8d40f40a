import { everything, formatHash, type HashRange, mergeRanges } from "./ranges.ts";

/** The value of an object that is hashed. */
export type ShardKey = "namespace" | "uid";

/** Maximum number of ranges in a selector, so that it is at most 4 KiB long in a URL. */
const maxRanges = 32;

/**
 * Returns the value of `shardSelector` for some ranges, in the form in which `metadata.shardInfo` of a list repeats it.
 * A selector with more than 32 ranges would be too long for a URL. It then also covers the smallest gaps, and its user drops
 * their objects.
 *
 * @returns the selector; `undefined` if the ranges cover everything
 * @throws RangeError without a range, because no selector matches nothing
 */
export function shardSelector(key: ShardKey, ranges: readonly HashRange[]): string | undefined {
  const merged = withoutSmallestGaps(mergeRanges(ranges), maxRanges);
  if (merged.length === 0) throw new RangeError("a shard selector requires a range");
  const [first] = merged;
  if (first!.start === everything.start && first!.end === everything.end) return undefined;
  return merged
    .map(({ start, end }) => `shardRange(object.metadata.${key}, '${formatHash(start)}', '${formatHash(end)}')`)
    .join(" || ");
}

/** Closes the smallest gaps until at most `limit` ranges are left. */
function withoutSmallestGaps(ranges: readonly HashRange[], limit: number): readonly HashRange[] {
  if (ranges.length <= limit) return ranges;
  const gaps = ranges.slice(1).map((range, index) => ({ after: index, size: range.start - ranges[index]!.end }));
  gaps.sort((a, b) => (a.size < b.size ? -1 : a.size > b.size ? 1 : 0));
  const closed = new Set(gaps.slice(0, ranges.length - limit).map(({ after }) => after));
  const result: HashRange[] = [];
  for (const [index, range] of ranges.entries()) {
    const last = result.at(-1);
    if (last && closed.has(index - 1)) result[result.length - 1] = { start: last.start, end: range.end };
    else result.push(range);
  }
  return result;
}
