import {
  everything,
  formatHash,
  type HashRange,
  intersectRanges,
  mergeRanges,
  parseHash,
  subtractRanges,
} from "./ranges.ts";

/** A range with its owner. */
export interface ShardEntry extends HashRange {
  /** Name of the member, `""` for a range without an owner. */
  readonly owner: string;
  /** Number of reconciled objects when the entry was written. */
  readonly objects: number;
}

/** The ranges with their owners: sorted, without gaps or overlaps. */
export type ShardTable = readonly ShardEntry[];

/** The annotation of the table isn't valid. */
export class ShardTableError extends Error {
  override readonly name = "ShardTableError";
}

/**
 * Parses the annotation that contains the table.
 *
 * @throws ShardTableError with the first entry that breaks a rule
 */
export function parseTable(text: string): ShardTable {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ShardTableError(`the table of shards isn't valid JSON: ${(error as Error).message}`);
  }
  if (!Array.isArray(value)) throw new ShardTableError("the table of shards must be a list");
  const table = value.map(parseEntry);
  let end = everything.start;
  for (const entry of table) {
    if (entry.start !== end) {
      const rule =
        entry.start < end ? "overlaps the range before it" : "doesn't begin at the end of the range before it";
      throw new ShardTableError(`the table of shards: the range from ${formatHash(entry.start)} ${rule}`);
    }
    ({ end } = entry);
  }
  if (end !== everything.end) throw new ShardTableError(`the table of shards ends at ${formatHash(end)}`);
  return table;
}

function parseEntry(value: unknown, index: number): ShardEntry {
  const { start: from, end: to, owner, objects } = (value ?? {}) as Record<string, unknown>;
  const [start, end] = [parseHash(from), parseHash(to)];
  const fails = (rule: string): never => {
    throw new ShardTableError(`the table of shards: entry ${index}: ${rule}`);
  };
  if (start === undefined) return fails(`start: ${JSON.stringify(from)} isn't a hash of 16 digits`);
  if (end === undefined) return fails(`end: ${JSON.stringify(to)} isn't a hash of 16 digits`);
  if (start >= end) return fails("start must be less than end");
  if (typeof owner !== "string") return fails("owner must be a string");
  if (!Number.isSafeInteger(objects) || (objects as number) < 0) return fails("objects must be a number of objects");
  return { start, end, owner, objects: objects as number };
}

/** Formats a table as in its annotation, with the neighboring ranges of one owner merged. */
export function formatTable(table: ShardTable): string {
  return JSON.stringify(
    mergeEntries(table).map(({ start, end, owner, objects }) => ({
      start: formatHash(start),
      end: formatHash(end),
      owner,
      objects,
    })),
  );
}

/** Merges neighboring ranges of one owner. Those without an owner stay apart, because different members may take them. */
export function mergeEntries(table: ShardTable): ShardTable {
  const merged: ShardEntry[] = [];
  for (const entry of table) {
    const last = merged.at(-1);
    if (last && last.owner !== "" && last.owner === entry.owner) {
      merged[merged.length - 1] = { ...last, end: entry.end, objects: last.objects + entry.objects };
    } else merged.push(entry);
  }
  return merged;
}

/** Returns the merged ranges of a member. */
export function rangesOf(table: ShardTable, owner: string): HashRange[] {
  return mergeRanges(table.filter((entry) => entry.owner === owner));
}

/** Returns the names of the owners. */
export function ownersOf(table: ShardTable): Set<string> {
  return new Set(table.map(({ owner }) => owner).filter((owner) => owner !== ""));
}

/** Counts the objects in a range. */
export type CountObjects = (range: HashRange) => number;

/**
 * Returns a table in which `pieces` have the owner `to`, as far as they belonged to `from`. Entries that a piece divides
 * are counted with `count`.
 */
export function transferRanges(
  table: ShardTable,
  pieces: readonly HashRange[],
  { from, to, count }: { from: string; to: string; count: CountObjects },
): ShardTable {
  const moved = table.flatMap((entry) => {
    if (entry.owner !== from) return [entry];
    // The pieces aren't merged: their boundaries are those at which the next owners divide them.
    const taken = pieces.flatMap((piece) => intersectRanges([entry], [piece]));
    if (taken.length === 0) return [entry];
    const parts = [
      ...taken.map((range) => ({ ...range, owner: to })),
      ...subtractRanges([entry], taken).map((range) => ({ ...range, owner: from })),
    ].sort((a, b) => (a.start < b.start ? -1 : 1));
    return parts.map((part) => ({ ...part, objects: parts.length === 1 ? entry.objects : count(part) }));
  });
  return mergeEntries(moved);
}
