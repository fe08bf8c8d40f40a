import type { TimelineEntry } from "./timeline.ts";

/** A line of a shown timeline: an event, or a note about events that aren't shown. */
export type Line = TimelineEntry | string;

/** Number of events of the longest cycle that is recognized. */
const longestCycle = 40;
/** A cycle is shortened from this number of rounds on. */
const fewestRounds = 3;

/**
 * Shortens a timeline. Cycles, such as the retries of a reconcile, are shown once. If this isn't enough, the events that explain
 * a finding are shown: first the one that broke the rule, then the faults, the calls of external systems, and the deletions of
 * objects of the user's kinds, then other writes and errors, and at last the end.
 *
 * @param timeline - the events
 * @param mostLines - number of lines, with the notes about hidden events
 * @param position - index of the event that broke the rule
 */
export function shorten(timeline: readonly TimelineEntry[], mostLines: number, position = -1): Line[] {
  if (timeline.length <= mostLines) return [...timeline];
  const groups =
    position < 0
      ? withoutCycles(timeline)
      : [
          ...withoutCycles(timeline.slice(0, position)),
          ...withoutCycles(timeline.slice(position, position + 1)),
          ...withoutCycles(timeline.slice(position + 1)),
        ];
  const isShown = chosen(groups, mostLines, timeline[position]);
  const lines: Line[] = [];
  let hidden: TimelineEntry[] = [];
  const flush = (): void => {
    if (hidden.length > 0) lines.push(noteOf(hidden));
    hidden = [];
  };
  groups.forEach(({ entry, repeated }, index) => {
    if (!isShown[index]) {
      hidden.push(entry, ...(repeated?.entries ?? []));
      return;
    }
    flush();
    lines.push(entry);
    if (repeated) lines.push(repeated.note);
  });
  flush();
  return lines;
}

/** An event, and a note about further rounds of the cycle that ends with it. */
interface Group {
  entry: TimelineEntry;
  repeated?: { note: string; entries: readonly TimelineEntry[] };
}

/** Chooses the groups that are shown: the most important ones for which there is space. */
function chosen(groups: readonly Group[], mostLines: number, decisive: TimelineEntry | undefined): boolean[] {
  const kinds = kindsOfUsers(groups);
  const order = groups.map(({ entry }, index) => {
    const importance = entry === decisive ? 0 : importanceOf(entry, kinds);
    // The causes of a finding come first, and the other events before its end are more interesting than its beginning.
    return { index, importance, rank: importance <= 2 ? index : -index };
  });
  order.sort((one, other) => one.importance - other.importance || one.rank - other.rank);
  const isShown = groups.map(() => false);
  // Before anything is shown, one note stands for all groups.
  let lines = 1;
  for (const { index } of order) {
    // An event within hidden ones divides their note into two, and one between shown events takes its place.
    const [before, after] = [index > 0 && !isShown[index - 1], index < groups.length - 1 && !isShown[index + 1]];
    const added = (before ? 1 : 0) + (after ? 1 : 0) - 1 + 1 + (groups[index]?.repeated ? 1 : 0);
    if (lines + added > mostLines) continue;
    lines += added;
    isShown[index] = true;
  }
  return isShown;
}

/** How much an event explains: 0 is the most. */
function importanceOf({ actor, action, object, detail }: TimelineEntry, kinds: ReadonlySet<string>): number {
  if (action === "broken") return 0;
  if (action.startsWith("fault ")) return 1;
  if (action === "external" || action === "upgrade" || action === "rollback" || action === "crds") return 2;
  const isDeletion =
    action === "delete" || (action === "update" && detail.includes("metadata.deletionTimestamp: none"));
  if (isDeletion && kinds.has(kindOf(object))) return 2;
  if (actor === "user" || actor === "someone") return 3;
  if (action === "error" || action === "start" || action === "exit" || detail.startsWith("stale:")) return 4;
  return writes.has(action) ? 5 : 6;
}

const writes: ReadonlySet<string> = new Set(["create", "update", "delete"]);

function kindsOfUsers(groups: readonly Group[]): ReadonlySet<string> {
  const created = groups.filter(({ entry: { actor, action } }) => actor === "user" && action === "create");
  return new Set(created.map(({ entry }) => kindOf(entry.object)));
}

function kindOf(object: string): string {
  return object.split(" ", 1)[0] as string;
}

function noteOf(hidden: readonly TimelineEntry[]): string {
  const calls = hidden.filter(({ action }) => action === "external").length;
  const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
  return `… ${counted(hidden.length, "event")}${calls > 0 ? `, ${counted(calls, "call")} among them` : ""}, see --json`;
}

function withoutCycles(timeline: readonly TimelineEntry[]): Group[] {
  const keys = timeline.map(keyOf);
  const groups: Group[] = [];
  for (let at = 0; at < timeline.length; ) {
    const { length, rounds } = cycleAt(keys, at);
    for (const entry of timeline.slice(at, at + length)) groups.push({ entry });
    if (rounds > 1) {
      const what = length === 1 ? "event" : `${length} events`;
      (groups.at(-1) as Group).repeated = {
        note: `… the same ${what} ${rounds - 1} more times`,
        entries: timeline.slice(at + length, at + length * rounds),
      };
    }
    at += length * rounds;
  }
  return groups;
}

/** Returns the shortest cycle that begins at a place, or one event. */
function cycleAt(keys: readonly string[], at: number): { length: number; rounds: number } {
  for (let length = 1; length <= longestCycle; length++) {
    let end = at + length;
    while (end < keys.length && keys[end] === keys[end - length]) end++;
    const rounds = Math.floor((end - at) / length);
    if (rounds >= fewestRounds) return { length, rounds };
  }
  return { length: 1, rounds: 1 };
}

/** Returns what the rounds of a cycle have in common: numbers, such as revisions and times, differ. */
function keyOf({ actor, action, object, detail }: TimelineEntry): string {
  return JSON.stringify([actor, action, object, detail.replace(/\d+/g, "#")]);
}
