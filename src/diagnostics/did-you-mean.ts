/** UTF-16 code units of a name that is compared: names of Kubernetes and of TypeScript types are shorter. */
const longestName = 100;

/** Names that are compared with one name, so that many misspelled names in a large file don't take the square of its size. */
const mostCandidates = 1000;

/** The most edits that a long name may be away. */
const mostEdits = 8;

/**
 * Single-character insertions, deletions and replacements that turn one text into the other. Above the limit any number
 * above the limit may come out: most comparisons are of names that have nothing in common, and end early.
 */
export function editDistance(from: string, to: string, limit: number = Number.POSITIVE_INFINITY): number {
  let same = 0;
  while (same < from.length && from.charCodeAt(same) === to.charCodeAt(same)) same++;
  return same === 0 ? distanceOf(from, to, limit) : distanceOf(from.slice(same), to.slice(same), limit);
}

function distanceOf(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return limit + 1;
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  let current = new Array<number>(to.length + 1);
  const band = Math.floor(limit);
  for (let row = 1; row <= from.length; row++) {
    const character = from.charCodeAt(row - 1);
    // What is further from the diagonal than the limit is above it.
    const first = Math.max(1, row - band);
    const last = Math.min(to.length, row + band);
    let least = first === 1 ? row : limit + 1;
    current[first - 1] = least;
    if (row > 1 && row + band <= to.length) previous[row + band] = limit + 1;
    for (let column = first; column <= last; column++) {
      const replaced = previous[column - 1]! + (character === to.charCodeAt(column - 1) ? 0 : 1);
      const distance = Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1);
      current[column] = distance;
      if (distance < least) least = distance;
    }
    if (least > limit) return limit + 1;
    [previous, current] = [current, previous];
  }
  return previous[to.length]!;
}

/**
 * The candidate that a misspelt name most likely stands for; undefined when none is near. Case doesn't count against a
 * candidate. The default limit is a third of the name's length, and at least two edits; of a name of one or two letters
 * one has to stay.
 */
export function didYouMean(
  written: string,
  candidates: Iterable<string>,
  limit: number = Math.min(Math.max(2, Math.floor(written.length / 3)), written.length - 1, mostEdits),
): string | undefined {
  if (written.length > longestName) return undefined;
  let best: string | undefined;
  let bestScore = limit + 1;
  const folded = written.toLowerCase();
  let compared = 0;
  for (const candidate of candidates) {
    if (++compared > mostCandidates) break;
    if (Math.abs(candidate.length - written.length) >= bestScore) continue;
    // Half a point for a difference in case only separates candidates that are equally near otherwise.
    const distance = editDistance(folded, candidate.toLowerCase(), bestScore);
    if (distance >= bestScore) continue;
    const score = distance + (sharesCase(written, candidate) ? 0 : 0.5);
    if (score < bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

function sharesCase(written: string, candidate: string): boolean {
  return editDistance(written, candidate) === editDistance(written.toLowerCase(), candidate.toLowerCase());
}
