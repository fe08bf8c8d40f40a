/** An entry of `metadata.managedFields`. */
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  subresource?: string;
  time?: string;
  fieldsV1?: unknown;
}

/**
 * Returns the manager that most likely made a change. Times have whole seconds, so an entry that changed since the previous
 * state and owns one of the changed fields takes precedence over a newer time.
 *
 * @param now - the entries after the change
 * @param before - the entries before it, if they are known
 * @param paths - the changed fields
 */
export function managerOf(
  now: readonly ManagedFieldsEntry[] | undefined,
  before: readonly ManagedFieldsEntry[] | undefined,
  paths: readonly string[],
): string | undefined {
  if (!Array.isArray(now) || now.length === 0) return undefined;
  const old = new Map(before?.map((entry) => [idOf(entry), stateOf(entry)]));
  const scored = now.map((entry, index) => {
    const isChanged = before !== undefined && old.get(idOf(entry)) !== stateOf(entry);
    const owned = Math.max(0, ...paths.map((path) => ownership(entry.fieldsV1, path)));
    return { entry, index, score: (isChanged ? 4 : 0) + owned };
  });
  const [best] = scored.sort(
    (a, b) => b.score - a.score || (b.entry.time ?? "").localeCompare(a.entry.time ?? "") || b.index - a.index,
  );
  return best?.entry.manager;
}

function idOf({ manager, operation, subresource }: ManagedFieldsEntry): string {
  return JSON.stringify([manager, operation, subresource]);
}

function stateOf({ time, fieldsV1 }: ManagedFieldsEntry): string {
  return `${time} ${JSON.stringify(fieldsV1)}`;
}

/**
 * Returns 2 if a set contains a path or something below it, 1 if it contains only a part of the path, such as an atomic map,
 * and else 0. Items of lists aren't distinguished.
 */
function ownership(fields: unknown, path: string): number {
  let set = fields;
  for (const [index, name] of path.split(".").entries()) {
    if (typeof set !== "object" || set === null) return 0;
    const found: unknown = (set as Record<string, unknown>)[`f:${name.replace(/\[.*$/, "")}`];
    if (found === undefined) return index > 0 && Object.keys(set).length === 0 ? 1 : 0;
    if (name.includes("[")) return 2;
    set = found;
  }
  return 2;
}
