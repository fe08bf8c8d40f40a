import type { TimelineEntry } from "./timeline.ts";

/** A line of a shown timeline: an event, or a note about events that aren't shown. */
export type Line = TimelineEntry | string;

/** Number of events of the longest cycle that is recognized. */
const longestCycle = 40;
/** A cycle is shortened from this number of rounds on. */
const fewestRounds = 3;

/**
 * Shortens a timeline. Cycles, such as the retries of a reconcile, are shown once. If this isn't enough, the end and the faults
 * are shown, because the cause of a finding is often a fault long before.
 *
 * @param timeline - the events
 * @param mostLines - number of lines, of which notes about hidden events aren't part
 */
export function shorten(timeline: readonly TimelineEntry[], mostLines: number): Line[] {
  if (timeline.length <= mostLines) return [...timeline];
  const groups = withoutCycles(timeline);
  const faults = groups.filter(isFault).slice(0, mostLines / 3);
  const end = groups.slice(faults.length - mostLines);
  const shown = new Set<Group>([...faults, ...end]);
  const lines: Line[] = [];
  let hidden = 0;
  const flush = (): void => {
    if (hidden > 0) lines.push(`… ${hidden} events, see --json`);
    hidden = 0;
  };
  for (const group of groups) {
    if (!shown.has(group)) {
      hidden += "events" in group ? group.events : 1;
      continue;
    }
    flush();
    lines.push("events" in group ? group.note : group);
  }
  flush();
  return lines;
}

/** An event, or the further rounds of a cycle. */
type Group = TimelineEntry | { note: string; events: number };

function isFault(group: Group): boolean {
  return "action" in group && group.action.startsWith("fault ");
}

function withoutCycles(timeline: readonly TimelineEntry[]): Group[] {
  const keys = timeline.map(keyOf);
  const groups: Group[] = [];
  for (let at = 0; at < timeline.length; ) {
    const { length, rounds } = cycleAt(keys, at);
    groups.push(...timeline.slice(at, at + length));
    if (rounds > 1) {
      const events = length * (rounds - 1);
      const what = length === 1 ? "event" : `${length} events`;
      groups.push({ note: `… the same ${what} ${rounds - 1} more times`, events });
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
