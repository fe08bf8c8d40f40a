/** The Node that the CLI and what it scaffolds need at least. */
export const oldestNode = "20.19";

/** Whether the running Node is older than that. */
export function nodeIsTooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major < 20 || (major === 20 && minor < 19);
}
