/** The Node that the CLI and what it scaffolds need at least. */
export const oldestNode = "20.19";

/** Whether a version of Node, the running one where none is given, is older than another. Parts that aren't given are 0. */
export function olderThan(oldest: string, version: string = process.versions.node): boolean {
  const [wanted, found] = [oldest, version].map((text) => text.split(".").map(Number));
  for (let part = 0; part < 3; part++) {
    const difference = (found?.[part] ?? 0) - (wanted?.[part] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** Whether the running Node is older than the oldest. */
export function nodeIsTooOld(): boolean {
  return olderThan(oldestNode);
}
