import { isLetter, naturalLess, SAFE_DIGITS } from "./natural-order.ts";

/**
 * Whether the order of Go's YAML has no circle among these keys, so that it is one. `sorted` is what sorting by it gave.
 *
 * Among numbers behind the same text the order is that of their values, but for one case: what goes on with a letter
 * comes behind all that goes on with further digits (`v10 < v1beta1`). This is a circle as soon as another number lies
 * between the two (`v1beta1 < v2 < v10`), and there is none otherwise.
 */
export function isTransitive(sorted: readonly string[]): boolean {
  if (sorted.some((key) => UNUSUAL.test(key))) return isInOrder(sorted);
  for (const numbers of numbersByPrefix(sorted).values()) if (!areTransitive(numbers)) return false;
  return true;
}

/** Numbers that don't fit, and digits of other scripts, which Go gives odd values: the above doesn't hold for them. */
const UNUSUAL = new RegExp(`[0-9]{${SAFE_DIGITS + 1}}|[^\\P{Nd}0-9]`, "u");
/** What stands behind a number that a letter follows. */
const LETTER = "a";

/** Every number of the keys by the text before it; nothing else of a key matters to how its number compares. */
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

/** Whether each number with a letter is followed, in the order of values, by those that lengthen it and then by others. */
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

/** The numbers with a letter whose digits this one goes on after. */
function lengthenedBy(number: string, numbers: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const length = number.endsWith(LETTER) ? number.length - 1 : number.length;
  for (let end = 1; end < length; end++) {
    const shorter = number.slice(0, end) + LETTER;
    if (numbers.has(shorter)) found.push(shorter);
  }
  return found;
}

/** By value, then by length, then those before letters last. */
function byValue(a: string, b: string): number {
  const left = BigInt(a.replace(LETTER, ""));
  const right = BigInt(b.replace(LETTER, ""));
  if (left !== right) return left < right ? -1 : 1;
  return a.replace(LETTER, "").length - b.replace(LETTER, "").length || a.length - b.length;
}

/** Whether every pair, not only neighbours, is in order. */
function isInOrder(sorted: readonly string[]): boolean {
  for (let low = 0; low < sorted.length; low++) {
    for (let high = low + 1; high < sorted.length; high++) {
      if (!naturalLess(sorted[low]!, sorted[high]!)) return false;
    }
  }
  return true;
}
