/** An entry of `metadata.managedFields`. */
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  subresource?: string;
  time?: string;
  fieldsV1?: unknown;
}

/**
 * Returns the manager that most likely made a change. Times have whole seconds, and a manager that writes a field again within
 * one second leaves its entry as it was. Therefore the ownership of the changed fields takes precedence over a changed entry,
 * and this over a newer time.
 *
 * @param now - the entries after the change
 * @param before - the entries before it, if they are known
 * @param paths - the changed fields
 * @returns its name; undefined if the entries don't show it
 */
export function managerOf(
  now: readonly ManagedFieldsEntry[] | undefined,
  before: readonly ManagedFieldsEntry[] | undefined,
  paths: readonly string[],
): string | undefined {
  if (!Array.isArray(now) || now.length === 0) return undefined;
  const old = new Map(before?.map((entry) => [idOf(entry), entry]));
  const scored = now.map((entry: ManagedFieldsEntry, index) => {
    const owned = paths.reduce((sum, path) => sum + ownership(entry.fieldsV1, path), 0);
    return { entry, index, owned, change: before === undefined ? 0 : changeOf(entry, old.get(idOf(entry))) };
  });
  const [best] = scored.sort(
    (a, b) =>
      b.owned - a.owned ||
      b.change - a.change ||
      (b.entry.time ?? "").localeCompare(a.entry.time ?? "") ||
      b.index - a.index,
  );
  // Deletions, for example, are in no entry.
  const isKnown = before === undefined || best === undefined || best.owned > 0 || best.change > 0;
  return isKnown ? best?.entry.manager : undefined;
}

/**
 * Returns the manager that created an object, from entries of a later time: those of its last changes. Only an entry with the
 * time of the creation can be that of the creator, and it changes no subresource.
 *
 * @param now - the entries
 * @param created - `metadata.creationTimestamp`
 * @returns its name; undefined if the entries don't show it, or several managers wrote in the second of the creation
 */
export function creatorOf(
  now: readonly ManagedFieldsEntry[] | undefined,
  created: string | undefined,
): string | undefined {
  if (!Array.isArray(now) || created === undefined) return undefined;
  const entries = now.filter((entry: ManagedFieldsEntry) => !entry.subresource && entry.time === created);
  const names = new Set(entries.map(({ manager }: ManagedFieldsEntry) => manager));
  return names.size === 1 ? entries[0]?.manager : undefined;
}

function idOf({ manager, operation, subresource }: ManagedFieldsEntry): string {
  return JSON.stringify([manager, operation, subresource]);
}

/** Returns 2 for an entry with a new time, 1 for one that only has other fields, and else 0. */
function changeOf(entry: ManagedFieldsEntry, old: ManagedFieldsEntry | undefined): number {
  if (!old || entry.time !== old.time) return 2;
  return JSON.stringify(entry.fieldsV1) === JSON.stringify(old.fieldsV1) ? 0 : 1;
}

/**
 * Returns 2 if a set contains a path or something below it, 1 if it contains only a part of the path, such as an atomic map,
 * and else 0. Items of lists aren't distinguished. Names of fields can contain dots, as those of annotations do.
 */
function ownership(fields: unknown, path: string): number {
  if (typeof fields !== "object" || fields === null) return 0;
  const entries = Object.entries(fields);
  for (const [key, inner] of entries) {
    if (!key.startsWith("f:")) continue;
    const name = key.slice(2);
    if (path === name || path.startsWith(`${name}[`)) return 2;
    if (!path.startsWith(`${name}.`)) continue;
    const isLeaf = typeof inner === "object" && inner !== null && Object.keys(inner).length === 0;
    const owned = isLeaf ? 1 : ownership(inner, path.slice(name.length + 1));
    if (owned > 0) return owned;
  }
  return 0;
}
