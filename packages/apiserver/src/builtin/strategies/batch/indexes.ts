import { goQuote } from "@kubewright/cel/json";

/** A text that isn't a list of indexes. */
class IndexError extends Error {}

function indexOf(text: string, completions: number): number {
  if (!/^[+-]?\d+$/.test(text)) throw new IndexError(`cannot convert string to integer for index: ${goQuote(text)}`);
  if (Number(text) >= completions) throw new IndexError(`too large index: ${goQuote(text)}`);
  return Number(text);
}

function unordered(before: number, current: number): IndexError {
  return new IndexError(`non-increasing order, previous: ${before}, current: ${current}`);
}

function intervalOf(interval: string, completions: number): [first: number, final: number] {
  const [start = "", end, ...more] = interval.split("-");
  if (more.length > 0) {
    const rule = "an index interval can have at most two parts separated by '-'";
    throw new IndexError(`the fragment ${goQuote(interval)} violates the requirement that ${rule}`);
  }
  const first = indexOf(start, completions);
  const final = end === undefined ? first : indexOf(end, completions);
  if (end !== undefined && first >= final) throw unordered(first, final);
  return [first, final];
}

/**
 * Counts the indexes in a list of a Job, such as `1,3-5`.
 *
 * @param text - the list
 * @param completions - the number of completions, which is greater than all indexes
 * @returns the number of indexes, or why the text isn't a list; the number is 0 then
 */
export function countIndexes(text: string, completions: number): { total: number; problem?: string } {
  if (text === "") return { total: 0 };
  let total = 0;
  let last: number | undefined;
  try {
    for (const interval of text.split(",")) {
      const [first, final] = intervalOf(interval, completions);
      if (last !== undefined && last >= first) throw unordered(last, first);
      total += final - first + 1;
      last = final;
    }
    return { total };
  } catch (error) {
    if (error instanceof IndexError) return { total: 0, problem: error.message };
    throw error;
  }
}

/**
 * Finds the first index that two lists have in common. Intervals that can't be read are left out.
 *
 * @param one - a list
 * @param other - another list
 * @param completions - the number of completions
 * @returns the index, or undefined if there is none
 */
export function firstShared(one: string, other: string, completions: number): number | undefined {
  const intervalsOf = (text: string): [number, number][] =>
    text.split(",").flatMap((interval) => {
      try {
        return [intervalOf(interval, completions)];
      } catch (error) {
        if (error instanceof IndexError) return [];
        throw error;
      }
    });
  const [left, right] = [intervalsOf(one), intervalsOf(other)];
  for (let a = 0, b = 0; a < left.length && b < right.length; ) {
    const [[first, final], [otherFirst, otherFinal]] = [left[a], right[b]] as [[number, number], [number, number]];
    if (first <= otherFinal && otherFirst <= final) return Math.max(first, otherFirst);
    if (first <= otherFirst) a++;
    else b++;
  }
  return undefined;
}
