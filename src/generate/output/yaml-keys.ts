import { isTransitive } from "./natural-conflicts.ts";
import { naturalLess } from "./natural-order.ts";
import { sortByTokens } from "./token-order.ts";

/**
 * The order of map keys. Go's YAML compares runs of digits as numbers and puts letters last, but not transitively:
 * `v10 < v1beta1 < v2 < v10`. Where that happens upstream's order changes from run to run, and ours is a fixed one.
 */
export function sortKeys(keys: readonly string[]): string[] {
  // Any fixed order will do to begin with: it makes the result independent of the order of insertion.
  const sorted = keys.toSorted();
  // Between letters the order is that of their codes, which the sort above is by.
  if (sorted.length < 2 || sorted.every((key) => LETTERS.test(key))) return sorted;
  sorted.sort((a, b) => (naturalLess(a, b) ? -1 : 1));
  // Only numbers make the comparison intransitive, so most maps needn't be proven.
  if (sorted.filter((key) => DIGIT.test(key)).length < 2 || isTransitive(sorted)) return sorted;
  return sortByTokens(keys);
}

const LETTERS = /^[A-Za-z]+$/;
const DIGIT = /\p{Nd}/u;
