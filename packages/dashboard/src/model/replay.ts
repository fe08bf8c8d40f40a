import type { ReplayEntry } from "../protocol/protocol.ts";

/** Type of an entry, for its shape and color. */
export type StoryType =
  | "write"
  | "read"
  | "stale"
  | "event"
  | "reconcile"
  | "done"
  | "error"
  | "fault"
  | "broken"
  | "process"
  | "external";

/** An entry of a finding, with what the page shows about it. */
export interface StoryEntry extends ReplayEntry {
  readonly index: number;
  readonly type: StoryType;
  /** Virtual time since the previous entry, in milliseconds. */
  readonly gap: number;
}

const types: Readonly<Record<string, StoryType>> = {
  read: "read",
  list: "read",
  event: "event",
  reconcile: "reconcile",
  reconciled: "done",
  error: "error",
  broken: "broken",
  start: "process",
  exit: "process",
  external: "external",
  convert: "external",
  upgrade: "process",
  rollback: "process",
  crds: "process",
};

/** Returns the entries of a finding with their types. */
export function storyOf(timeline: readonly ReplayEntry[]): StoryEntry[] {
  return timeline.map((entry, index) => ({
    ...entry,
    index,
    type: typeOf(entry),
    gap: entry.time - (timeline[index - 1]?.time ?? 0),
  }));
}

function typeOf({ action, detail, revision }: ReplayEntry): StoryType {
  if (action.startsWith("fault ")) return "fault";
  const type = Object.hasOwn(types, action) ? types[action] : undefined;
  if (type === "read" && detail.startsWith("stale:")) return "stale";
  // A write that fails has no revision, and its detail is the error.
  return type ?? (revision === "" && detail !== "" ? "error" : "write");
}

/** Whether an entry explains the finding: a fault, or something that went wrong. */
export function isNotable({ type }: StoryEntry): boolean {
  return type === "fault" || type === "stale" || type === "error" || type === "broken";
}

/**
 * Returns the index of the entry with which a finding opens.
 *
 * @param story - the entries
 * @param position - index of the entry that broke the rule, if the report contains it
 */
export function firstSelected(story: readonly StoryEntry[], position: number | undefined): number {
  if (position !== undefined && story[position]) return position;
  return Math.max(0, story.findIndex(isNotable));
}

/** Returns the actors in the order of their lanes: users, the cluster, operators, and the simulation with its faults. */
export function lanesOf(story: readonly StoryEntry[]): string[] {
  const others: ReadonlySet<string> = new Set(["user", "someone", "cluster", "start", "code", "world"]);
  const rank = (actor: string): number => (actor === "simulation" ? 2 : others.has(actor) ? 0 : 1);
  const actors = [...new Set(story.map(({ actor }) => actor))];
  return actors.sort((a, b) => rank(a) - rank(b) || (rank(a) === 1 ? a.localeCompare(b) : 0));
}

/** A line from a write to who sees its revision, or a bar from the start of a reconcile to its end. */
export interface Link {
  readonly from: number;
  readonly to: number;
}

/** Returns which events and reads show the revision of which write, by the indexes of the entries. */
export function linksOf(story: readonly StoryEntry[]): Link[] {
  const writes = new Map<string, number>();
  const links: Link[] = [];
  for (const { index, type, object, revision } of story) {
    if (revision === "" || revision === "none") continue;
    const key = `${object} ${revision}`;
    if (type === "write") writes.set(key, index);
    else {
      const from = writes.get(key);
      if (from !== undefined) links.push({ from, to: index });
    }
  }
  return links;
}

/** Returns the start and end of each reconcile. A process that ends also ends its reconciles. */
export function reconcilesOf(story: readonly StoryEntry[]): Link[] {
  const open = new Map<string, number>();
  const links: Link[] = [];
  const close = (key: string, to: number): void => {
    const from = open.get(key);
    if (from === undefined) return;
    open.delete(key);
    links.push({ from, to });
  };
  for (const { index, type, actor, object } of story) {
    const key = JSON.stringify([actor, object]);
    if (type === "reconcile") {
      close(key, index);
      open.set(key, index);
    } else if (type === "done") close(key, index);
    else if (type === "process") {
      for (const other of [...open.keys()]) if ((JSON.parse(other) as string[])[0] === actor) close(other, index);
    }
  }
  return links;
}

/** A field that a write changed. */
export interface FieldChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

const fieldChange = /^([\w$.[\]"'/~-]+): (.*) → (.*)$/s;

/** Parses the differences of a write, such as `spec.replicas: 1 → 2`; undefined if the text is something else. */
export function fieldChangesOf(detail: string): FieldChange[] | undefined {
  const changes: FieldChange[] = [];
  // A value may contain the separator, so that only a path begins the next change.
  for (const part of detail.split(/; (?=[\w$.[\]"'/~-]+: .* → )/s)) {
    const [, path, before, after] = fieldChange.exec(part) ?? [];
    if (path === undefined || before === undefined || after === undefined) return undefined;
    changes.push({ path, before, after });
  }
  return changes;
}

/** Number of characters that are wider than any row. */
const longestLine = 500;

/**
 * Returns the part of a text that a row can show. A row hides the rest, but the browser would lay it out after each key: a second for a
 * few texts of a megabyte.
 *
 * @param text - a text of a report
 */
export function lineOf(text: string): string {
  if (text.length <= longestLine) return text;
  // Half of a character of two code units isn't a valid text.
  return `${text.slice(0, longestLine).replace(/[\ud800-\udbff]$/, "")}…`;
}

/**
 * Reports whether an entry contains all words.
 *
 * @param entry - the entry
 * @param words - the words in lower case
 */
export function containsWords(
  { actor, action, object, revision, detail }: ReplayEntry,
  words: readonly string[],
): boolean {
  if (words.length === 0) return true;
  const content = `${actor} ${action} ${object} ${revision} ${detail}`.toLowerCase();
  return words.every((word) => content.includes(word));
}

/** Returns a virtual time, such as `120.150 s`. */
export function formatVirtual(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(3)} s`;
}

/** Returns the first and the last index of the entries that a picture shows: at most `count`, around the selected one. */
export function windowOf(length: number, selected: number, count: number): readonly [first: number, last: number] {
  if (length <= count) return [0, length - 1];
  const first = Math.max(0, Math.min(length - count, selected - Math.floor(count / 2)));
  return [first, first + count - 1];
}
