/** Single-character insertions, deletions and replacements that turn one text into the other. */
export function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = previous[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[to.length]!;
}

/**
 * The candidate that a misspelt name most likely stands for; undefined when none is near. Case doesn't count against a
 * candidate. The default limit is a third of the name's length, and at least two edits.
 */
export function didYouMean(
  written: string,
  candidates: Iterable<string>,
  limit: number = Math.max(2, Math.floor(written.length / 3)),
): string | undefined {
  let best: string | undefined;
  let bestScore = limit + 1;
  const folded = written.toLowerCase();
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - written.length) >= bestScore) continue;
    // Half a point for a difference in case only separates candidates that are equally near otherwise.
    const score = editDistance(folded, candidate.toLowerCase()) + (sharesCase(written, candidate) ? 0 : 0.5);
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
