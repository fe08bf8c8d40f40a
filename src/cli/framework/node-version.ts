/** The minimum Node version of the CLI and of scaffolded projects. */
export const oldestNode = "20.19";

/**
 * Whether a Node version is older than another. Missing parts count as 0.
 *
 * @param version the version to check
 * @defaultValue the running version
 */
export function olderThan(oldest: string, version: string = process.versions.node): boolean {
  const [wanted, actual] = [oldest, version].map((text) => text.split(".").map(Number));
  for (let part = 0; part < 3; part++) {
    const difference = (actual?.[part] ?? 0) - (wanted?.[part] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** Whether the running Node version is too old. */
export function nodeIsTooOld(): boolean {
  return olderThan(oldestNode);
}
