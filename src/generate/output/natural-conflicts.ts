import { isLetter, naturalLess, SAFE_DIGITS } from "./natural-order.ts";

/**
 * Returns whether the order of Go's YAML is transitive for these keys. `sorted` are the keys sorted by it.
 *
 * Numbers after the same text are ordered by value, with one exception. A number that a letter follows comes after all
 * longer numbers that begin with its digits (`v10 < v1beta1`). The order has a cycle if the value of another number is
 * between the two (`v1beta1 < v2 < v10`), and only then.
 */
export function isTransitive(sorted: readonly string[]): boolean {
  if (sorted.some((key) => UNUSUAL.test(key))) return isInOrder(sorted);
  for (const numbers of numbersByPrefix(sorted).values()) if (!areTransitive(numbers)) return false;
  return true;
}

/**
 * Numbers that don't fit into 64 bits, and digits of other scripts, which have odd values in Go: the rule above doesn't
 * apply.
 */
const UNUSUAL = new RegExp(`[0-9]{${SAFE_DIGITS + 1}}|[^\\P{Nd}0-9]`, "u");
/** Marks a number that a letter follows. */
const LETTER = "a";

/** Groups the numbers in the keys by the text before them; nothing else in a key affects how a number compares. */
function numbersByPrefix(keys: readonly string[]): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  for (const key of keys) {
    for (const { 0: digits, index } of key.matchAll(/[0-9]+/g)) {
      const next = key.codePointAt(index + digits.length);
      const number = next !== undefined && isLetter(next) ? digits + LETTER : digits;
      const prefix = key.slice(0, index);
      const group = groups.get(prefix);
      if (group) group.add(number);
      else groups.set(prefix, new Set([number]));
    }
  }
  return groups;
}

/** Returns whether each number with a letter is followed, in the order of values, first by numbers that extend its digits. */
function areTransitive(numbers: ReadonlySet<string>): boolean {
  const shortened = [...numbers].filter((number) => lengthenedBy(number, numbers).length > 0);
  if (shortened.length === 0) return true;
  const places = new Map([...numbers].sort(byValue).map((number, place) => [number, place]));
  const furthest = new Map<string, { place: number; count: number }>();
  for (const number of shortened) {
    const place = places.get(number)!;
    for (const shorter of lengthenedBy(number, numbers)) {
      const so = furthest.get(shorter) ?? { place, count: 0 };
      furthest.set(shorter, { place: Math.max(so.place, place), count: so.count + 1 });
    }
  }
  return [...furthest].every(([shorter, { place, count }]) => place - places.get(shorter)! === count);
}

/** Returns the numbers with a letter whose digits this number extends. */
function lengthenedBy(number: string, numbers: ReadonlySet<string>): string[] {
  const longer: string[] = [];
  const length = number.endsWith(LETTER) ? number.length - 1 : number.length;
  for (let end = 1; end < length; end++) {
    const shorter = number.slice(0, end) + LETTER;
    if (numbers.has(shorter)) longer.push(shorter);
  }
  return longer;
}

/** Orders by value, then by length; numbers with a letter come last. */
function byValue(a: string, b: string): number {
  const left = BigInt(a.replace(LETTER, ""));
  const right = BigInt(b.replace(LETTER, ""));
  if (left !== right) return left < right ? -1 : 1;
  return a.replace(LETTER, "").length - b.replace(LETTER, "").length || a.length - b.length;
}

/** Returns whether all pairs are in order, not only neighbors. */
function isInOrder(sorted: readonly string[]): boolean {
  for (let low = 0; low < sorted.length; low++) {
    for (let high = low + 1; high < sorted.length; high++) {
      if (!naturalLess(sorted[low]!, sorted[high]!)) return false;
    }
  }
  return true;
}
