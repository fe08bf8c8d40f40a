/** Fields that change with every write and explain nothing. */
const ignored = new Set(["metadata.managedFields", "metadata.resourceVersion", "metadata.generation"]);
const maxPaths = 20;
const maxDepth = 64;

/** Returns the paths of the fields that differ, such as `spec.replicas`; at most 20. */
export function changedPaths(before: unknown, after: unknown): string[] {
  const paths: string[] = [];
  compare(before, after, "", 0, paths);
  return paths;
}

function compare(before: unknown, after: unknown, path: string, depth: number, paths: string[]): void {
  if (before === after || paths.length >= maxPaths || ignored.has(path)) return;
  const areLists = Array.isArray(before) && Array.isArray(after);
  if (
    !isContainer(before) ||
    !isContainer(after) ||
    depth > maxDepth ||
    Array.isArray(before) !== Array.isArray(after)
  ) {
    paths.push(path);
  } else if (areLists) {
    if (before.length !== after.length) paths.push(path);
    else
      for (const [index, item] of before.entries()) compare(item, after[index], `${path}[${index}]`, depth + 1, paths);
  } else {
    const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>];
    for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
      compare(old[name], now[name], path === "" ? name : `${path}.${name}`, depth + 1, paths);
    }
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Returns the paths of a `fieldsV1`, such as `spec.replicas` and `spec.containers[name=app].image`. */
export function fieldPaths(fields: unknown, limit = 500): string[] {
  const paths: string[] = [];
  const visit = (set: unknown, path: string): void => {
    if (paths.length >= limit) return;
    const entries = isContainer(set) ? Object.entries(set).filter(([name]) => name !== ".") : [];
    if (entries.length === 0) {
      if (path !== "") paths.push(path);
      return;
    }
    for (const [name, inner] of entries) visit(inner, joined(path, name));
  };
  visit(fields, "");
  return paths;
}

function joined(path: string, name: string): string {
  const [kind, rest] = [name.slice(0, 2), name.slice(2)];
  if (kind === "f:") return path === "" ? rest : `${path}.${rest}`;
  if (kind !== "k:") return `${path}[${rest}]`;
  try {
    const keys = Object.entries(JSON.parse(rest) as Record<string, unknown>);
    return `${path}[${keys.map(([key, value]) => `${key}=${String(value)}`).join(",")}]`;
  } catch {
    return `${path}[${rest}]`;
  }
}
