/** Fields that change with every write and explain nothing. */
const ignored = new Set(["metadata.managedFields", "metadata.resourceVersion", "metadata.generation"]);
const maxPaths = 20;
const maxDepth = 64;

/**
 * Returns the paths of the fields that differ, such as `spec.replicas` or `spec.containers[0].image`; at most 20. The path of
 * a list with another length is that of the list.
 */
export function changedPaths(before: unknown, after: unknown): string[] {
  const paths: string[] = [];
  compare(before, after, "", 0, paths);
  return paths;
}

function compare(before: unknown, after: unknown, path: string, depth: number, paths: string[]): void {
  if (before === after || paths.length >= maxPaths || ignored.has(path)) return;
  if (
    !isContainer(before) ||
    !isContainer(after) ||
    Array.isArray(before) !== Array.isArray(after) ||
    depth > maxDepth
  ) {
    paths.push(path);
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) {
      paths.push(path);
      return;
    }
    for (const [index, item] of before.entries()) compare(item, after[index], `${path}[${index}]`, depth + 1, paths);
    return;
  }
  const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>];
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    compare(old[name], now[name], path === "" ? name : `${path}.${name}`, depth + 1, paths);
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
