// Sets of code points, as sorted ranges that don't touch.

/** The first and the last code point of a range. */
export type Range = readonly [first: number, last: number];

/** The highest code point. */
export const highest = 0x10ffff;

/** Returns a set with sorted ranges, in which ranges that overlap or touch are one. */
export function union(ranges: readonly Range[]): Range[] {
  const merged: [number, number][] = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

/** Returns all other code points. */
export function complement(ranges: readonly Range[]): Range[] {
  const others: Range[] = [];
  let next = 0;
  for (const [first, last] of union(ranges)) {
    if (first > next) others.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= highest) others.push([next, highest]);
  return others;
}

/**
 * Returns the code points with a Unicode property.
 *
 * @param property - the property in JavaScript's notation, such as `Script=Greek`
 * @returns undefined if JavaScript doesn't have the property
 */
export function withProperty(property: string): readonly Range[] | undefined {
  const cached = properties.get(property);
  if (cached !== undefined) return cached;
  let pattern: RegExp;
  try {
    pattern = new RegExp(`^\\p{${property}}`, "u");
  } catch {
    return undefined;
  }
  const ranges: [number, number][] = [];
  for (let point = 0; point <= highest; point++) {
    if (!pattern.test(String.fromCodePoint(point))) continue;
    const before = ranges.at(-1);
    if (before !== undefined && before[1] === point - 1) before[1] = point;
    else ranges.push([point, point]);
  }
  properties.set(property, ranges);
  return ranges;
}

/** The results of {@link withProperty}, because a search takes a tenth of a second. */
const properties = new Map<string, readonly Range[]>();

/** The other cases of each code point that has any, by Unicode's simple case folding. */
let cases: ReadonlyMap<number, readonly number[]> | undefined;

/** Adds the other cases of all code points in a set. */
export function withAllCases(ranges: readonly Range[]): Range[] {
  cases ??= findCases();
  const added: Range[] = [...ranges];
  for (const [point, others] of cases) {
    if (ranges.some(([first, last]) => first <= point && point <= last)) {
      for (const other of others) added.push([other, other]);
    }
  }
  return union(added);
}

/** No letter with a case is above it. */
const lastCased = 0x1e943;
/** The dotless i, whose capital letter belongs to the i with a dot. */
const dotlessI = 0x131;

function findCases(): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, Set<number>>();
  for (let point = 0; point <= lastCased; point++) {
    if (point === dotlessI) continue;
    const text = String.fromCodePoint(point);
    for (const changed of [text.toLowerCase(), text.toUpperCase()]) {
      const other = changed.codePointAt(0) ?? point;
      if (changed.length !== String.fromCodePoint(other).length || other === point) continue;
      const group = groups.get(point) ?? new Set([point]);
      for (const member of groups.get(other) ?? [other]) group.add(member);
      for (const member of group) groups.set(member, group);
    }
  }
  return new Map([...groups].map(([point, group]) => [point, [...group].filter((other) => other !== point)]));
}
