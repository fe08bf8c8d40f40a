import { isTransitive } from "./natural-conflicts.ts";
import { naturalLess } from "./natural-order.ts";
import { sortByTokens } from "./token-order.ts";

/**
 * Sorts map keys. Go's YAML compares digits as numbers and puts letters last, but this isn't transitive:
 * `v10 < v1beta1 < v2 < v10`. In such cases upstream's order changes from run to run, and ours is fixed.
 */
export function sortKeys(keys: readonly string[]): string[] {
  // The initial order makes the result independent of the order of insertion.
  const sorted = keys.toSorted();
  // Letters are ordered by their codes, like the sort above.
  if (sorted.length < 2 || sorted.every((key) => LETTERS.test(key))) return sorted;
  sorted.sort((a, b) => (naturalLess(a, b) ? -1 : 1));
  // Only numbers can make the order intransitive, so most maps don't need the check.
  if (sorted.filter((key) => DIGIT.test(key)).length < 2 || isTransitive(sorted)) return sorted;
  return sortByTokens(keys);
}

const LETTERS = /^[A-Za-z]+$/;
const DIGIT = /\p{Nd}/u;
