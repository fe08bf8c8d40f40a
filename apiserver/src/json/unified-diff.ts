interface Match {
  left: number;
  right: number;
  size: number;
}

/** A range of lines on both sides: equal lines, or lines that replace others. */
interface Change {
  equal: boolean;
  left: [start: number, end: number];
  right: [start: number, end: number];
}

const context = 3;
/** In texts with so many lines, those that repeat often don't count in the search for what both have in common. */
const manyLines = 200;

/**
 * Compares two texts by lines as Python's `difflib` and its port to Go do, which messages of the server come from.
 *
 * @param left - the old text
 * @param right - the new text
 * @returns the differences in the unified format with three lines of context, without the names of files
 */
export function unifiedDiff(left: string, right: string): string {
  const [old, current] = [left.split("\n"), right.split("\n")];
  const lines = groups(changes(old, current)).flatMap((group) => [
    `@@ -${range(group.map((change) => change.left))} +${range(group.map((change) => change.right))} @@`,
    ...group.flatMap(({ equal, left: [start, end], right: [from, to] }) =>
      equal
        ? old.slice(start, end).map((line) => ` ${line}`)
        : [...old.slice(start, end).map((line) => `-${line}`), ...current.slice(from, to).map((line) => `+${line}`)],
    ),
  ]);
  return lines.map((line) => `${line}\n`).join("");
}

function range(parts: readonly [number, number][]): string {
  const start = parts[0]?.[0] ?? 0;
  const length = (parts.at(-1)?.[1] ?? 0) - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

/** Finds the places of lines that don't repeat too often. */
function placesOf(lines: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [index]);
    else known.push(index);
  }
  if (lines.length < manyLines) return places;
  const limit = Math.floor(lines.length / 100) + 1;
  return new Map([...places].filter(([, indexes]) => indexes.length <= limit));
}

function changes(old: readonly string[], current: readonly string[]): Change[] {
  const found: Change[] = [];
  let [left, right] = [0, 0];
  const matches = matchesBetween(old, current, placesOf(current), [0, old.length], [0, current.length]);
  for (const match of [...joined(matches), { left: old.length, right: current.length, size: 0 }]) {
    if (left < match.left || right < match.right) {
      found.push({ equal: false, left: [left, match.left], right: [right, match.right] });
    }
    [left, right] = [match.left + match.size, match.right + match.size];
    if (match.size > 0) found.push({ equal: true, left: [match.left, left], right: [match.right, right] });
  }
  return found;
}

function joined(matches: readonly Match[]): Match[] {
  const result: Match[] = [];
  for (const match of matches) {
    const last = result.at(-1);
    if (last && last.left + last.size === match.left && last.right + last.size === match.right) last.size += match.size;
    else result.push({ ...match });
  }
  return result;
}

type Range = readonly [start: number, end: number];

function matchesBetween(
  old: readonly string[],
  current: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  left: Range,
  right: Range,
): Match[] {
  const match = longestMatch(old, current, places, left, right);
  if (match.size === 0) return [];
  const between = (first: Range, second: Range): Match[] =>
    first[0] < first[1] && second[0] < second[1] ? matchesBetween(old, current, places, first, second) : [];
  return [
    ...between([left[0], match.left], [right[0], match.right]),
    match,
    ...between([match.left + match.size, left[1]], [match.right + match.size, right[1]]),
  ];
}

/** Finds the longest block of equal lines; of several, the one that starts earliest. */
function longestMatch(
  old: readonly string[],
  current: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  [start, end]: Range,
  [from, to]: Range,
): Match {
  const best = { left: start, right: from, size: 0 };
  let lengths = new Map<number, number>();
  for (let at = start; at < end; at++) {
    const next = new Map<number, number>();
    for (const place of places.get(old[at] as string) ?? []) {
      if (place < from || place >= to) continue;
      const length = (lengths.get(place - 1) ?? 0) + 1;
      next.set(place, length);
      if (length > best.size) {
        best.left = at - length + 1;
        best.right = place - length + 1;
        best.size = length;
      }
    }
    lengths = next;
  }
  // Lines that repeat often can extend a block, although none begins with them.
  while (best.left > start && best.right > from && old[best.left - 1] === current[best.right - 1]) {
    best.left--;
    best.right--;
    best.size++;
  }
  while (
    best.left + best.size < end &&
    best.right + best.size < to &&
    old[best.left + best.size] === current[best.right + best.size]
  ) {
    best.size++;
  }
  return best;
}

/** Divides the changes into groups with a few equal lines around them. */
function groups(all: readonly Change[]): Change[][] {
  const result: Change[][] = [];
  let group: Change[] = [];
  for (const [index, { equal, left, right }] of all.entries()) {
    if (!equal) {
      group.push({ equal, left, right });
      continue;
    }
    const length = left[1] - left[0];
    const isFirst = index === 0;
    const isLast = index === all.length - 1;
    const head = Math.min(length, context);
    if (isFirst && isLast) return [];
    if (isFirst) group.push(tail({ equal, left, right }, head));
    else if (isLast) group.push(start({ equal, left, right }, head));
    else if (length > 2 * context) {
      group.push(start({ equal, left, right }, context));
      result.push(group);
      group = [tail({ equal, left, right }, context)];
    } else group.push({ equal, left, right });
  }
  return group.length === 0 ? result : [...result, group];
}

function start({ equal, left, right }: Change, length: number): Change {
  return { equal, left: [left[0], left[0] + length], right: [right[0], right[0] + length] };
}

function tail({ equal, left, right }: Change, length: number): Change {
  return { equal, left: [left[1] - length, left[1]], right: [right[1] - length, right[1]] };
}
