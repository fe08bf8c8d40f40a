/** Maximum length of a name to compare in UTF-16 code units. Names in Kubernetes and TypeScript are shorter. */
const longestName = 100;

/** Maximum number of candidates, so that many misspelled names in a large file don't take quadratic time. */
const mostCandidates = 1000;

/** Maximum number of edits for a long name. */
const mostEdits = 8;

/**
 * Returns the number of edits between two strings: a character inserted, deleted or replaced, or two adjacent ones swapped.
 *
 * @param limit above it, the result may be any larger number, so that comparisons of different names end early
 */
export function editDistance(from: string, to: string, limit: number = Number.POSITIVE_INFINITY): number {
  let same = 0;
  while (same < from.length && from.charCodeAt(same) === to.charCodeAt(same)) same++;
  return same === 0 ? distanceOf(from, to, limit) : distanceOf(from.slice(same), to.slice(same), limit);
}

function distanceOf(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return limit + 1;
  let beforePrevious = new Array<number>(to.length + 1);
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  let current = new Array<number>(to.length + 1);
  const band = Math.floor(limit);
  for (let row = 1; row <= from.length; row++) {
    const character = from.charCodeAt(row - 1);
    // Cells that are further from the diagonal than the limit exceed it.
    const first = Math.max(1, row - band);
    const last = Math.min(to.length, row + band);
    let least = first === 1 ? row : limit + 1;
    current[first - 1] = least;
    if (row > 1 && row + band <= to.length) previous[row + band] = limit + 1;
    for (let column = first; column <= last; column++) {
      const replaced = previous[column - 1]! + (character === to.charCodeAt(column - 1) ? 0 : 1);
      let distance = Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1);
      const isSwap =
        row > 1 &&
        column > 1 &&
        character === to.charCodeAt(column - 2) &&
        from.charCodeAt(row - 2) === to.charCodeAt(column - 1);
      if (isSwap) distance = Math.min(distance, beforePrevious[column - 2]! + 1);
      current[column] = distance;
      if (distance < least) least = distance;
    }
    if (least > limit) return limit + 1;
    [beforePrevious, previous, current] = [previous, current, beforePrevious];
  }
  return previous[to.length]!;
}

/**
 * Returns the most similar candidate for a misspelled name, or undefined if none is similar. Case differences don't count as edits.
 *
 * @param limit the maximum number of edits
 * @defaultValue a third of the name's length, at least two and at most eight; less for names of one or two letters
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
    // The half point for a difference in case only decides between candidates with the same distance.
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

/**
 * Returns the hint for a misspelled name: the most similar candidate.
 *
 * @param otherwise the hint if none is similar
 */
export function similarHint(written: string, candidates: Iterable<string>, otherwise: string): string {
  const near = didYouMean(written, candidates);
  return near === undefined ? otherwise : `did you mean \`${near}\`?`;
}

function sharesCase(written: string, candidate: string): boolean {
  return editDistance(written, candidate) === editDistance(written.toLowerCase(), candidate.toLowerCase());
}
