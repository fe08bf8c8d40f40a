import type { TimelineEntry } from "./timeline.ts";

const writes: ReadonlySet<string> = new Set(["create", "update", "delete", "external"]);

/**
 * Finds the event that broke a rule, for rules whose state isn't known after each write: the last write of an object that the
 * message names, or else the last write.
 *
 * @param timeline - the events
 * @param message - how the rule is broken
 * @returns its index
 */
export function positionOf(timeline: readonly TimelineEntry[], message: string): number {
  const broken = timeline.findLastIndex(({ action }) => action === "broken");
  const end = broken < 0 ? timeline.length : broken;
  const isBefore = (isMeant: (entry: TimelineEntry) => boolean): number =>
    timeline.findLastIndex((entry, index) => index < end && entry.actor !== "simulation" && isMeant(entry));
  const named = isBefore(({ action, object }) => writes.has(action) && object !== "" && message.includes(object));
  const last = named >= 0 ? named : isBefore(({ action }) => writes.has(action));
  return last >= 0 ? last : Math.max(0, broken);
}
