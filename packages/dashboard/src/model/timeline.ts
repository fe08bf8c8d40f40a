import type { ReconcileRecord, TimelineEntry } from "../protocol/protocol.ts";
import { plainText, reasonParts } from "./explain.ts";

/** Types of entries, in the order of the lanes. */
export const entryTypes = ["change", "reconcile", "event", "admission"] as const;
export type EntryType = TimelineEntry["type"];

/** Selects the entries of a timeline. */
export interface TimelineFilter {
  readonly text: string;
  readonly hidden: ReadonlySet<EntryType>;
  readonly failedOnly: boolean;
}

/** Returns an id of an entry that stays the same when the timeline is fetched again. */
export function entryId(entry: TimelineEntry): string {
  switch (entry.type) {
    case "reconcile":
      return `reconcile-${entry.reconcile.id}`;
    case "change":
      return `change-${entry.change.resourceVersion}-${entry.change.type}`;
    case "event":
      return `event-${entry.event.reason}-${entry.event.firstTime}-${entry.event.message.slice(0, 40)}`;
    case "admission":
      return `admission-${entry.admission.id}`;
  }
}

/** Returns whether an entry reports a failure. */
export function isFailed(entry: TimelineEntry): boolean {
  switch (entry.type) {
    case "reconcile":
      return entry.reconcile.error !== null || entry.reconcile.writes.some(({ error }) => error);
    case "event":
      return entry.event.type === "Warning";
    case "admission":
      return !entry.admission.allowed;
    case "change":
      return false;
  }
}

/** Returns the entries that match a filter. */
export function filterEntries(entries: readonly TimelineEntry[], filter: TimelineFilter): TimelineEntry[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter((entry) => {
    if (filter.hidden.has(entry.type) || (filter.failedOnly && !isFailed(entry))) return false;
    if (words.length === 0) return true;
    const content = contentOf(entry).toLowerCase();
    return words.every((word) => content.includes(word));
  });
}

function contentOf(entry: TimelineEntry): string {
  switch (entry.type) {
    case "reconcile": {
      const { controller, reasons, writes, calls = [], logs, error } = entry.reconcile;
      return [
        "reconcile",
        controller,
        ...reasons.map((reason) => `${reason.type} ${plainText(reasonParts(reason))}`),
        ...writes.map(({ verb, kind, name, diff }) => `${verb} ${kind} ${name ?? ""} ${diff}`),
        ...calls.map(({ method, url }) => `call ${method} ${url}`),
        ...logs.map(({ message }) => message),
        error?.message ?? "",
      ].join("\n");
    }
    case "change":
      return ["change", entry.change.type, entry.change.by, ...entry.change.changed, entry.change.diff].join("\n");
    case "event":
      return ["event", entry.event.type, entry.event.reason, entry.event.message, entry.event.source].join("\n");
    case "admission":
      return ["admission", entry.admission.path, entry.admission.operation, entry.admission.message].join("\n");
  }
}

/** Adds entries that arrived since the timeline was fetched: the latest first, without duplicates, at most `limit`. */
export function mergeEntries(
  earlier: readonly TimelineEntry[],
  added: readonly TimelineEntry[],
  limit: number,
): TimelineEntry[] {
  const byId = new Map(earlier.map((entry) => [entryId(entry), entry]));
  for (const entry of added) byId.set(entryId(entry), entry);
  return [...byId.values()].sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0)).slice(0, limit);
}

/** A mark in the picture of a timeline. */
export interface Mark {
  readonly id: string;
  readonly lane: number;
  /** Position from 0 (oldest) to 1 (latest). */
  readonly x: number;
  readonly failed: boolean;
  readonly entry: TimelineEntry;
}

/**
 * Returns the marks of entries on the lanes of their types. Entries are spread in their order rather than by time: an
 * operator is silent for minutes, then acts within milliseconds, which a linear scale would draw as one point.
 */
export function marksOf(entries: readonly TimelineEntry[], limit = 60): Mark[] {
  const shown = entries.slice(0, limit).reverse();
  const gaps = shown.map((entry, index) => {
    const before = shown[index - 1];
    return before ? gapWeight(Date.parse(entry.time) - Date.parse(before.time)) : 0;
  });
  const total = gaps.reduce((sum, gap) => sum + gap, 0) || 1;
  let position = 0;
  return shown.map((entry, index) => {
    position += gaps[index] ?? 0;
    return {
      id: entryId(entry),
      lane: entryTypes.indexOf(entry.type),
      x: shown.length === 1 ? 0.5 : position / total,
      failed: isFailed(entry),
      entry,
    };
  });
}

/** Grows with the logarithm of the time between two entries. */
function gapWeight(milliseconds: number): number {
  return 1 + Math.log10(1 + Math.max(0, milliseconds || 0));
}

/** Returns the entries that a reconcile's reasons come from, and the reconciles that followed from it, by their ids. */
export function relatedIds(
  record: ReconcileRecord,
  entries: readonly TimelineEntry[],
): { readonly causes: readonly string[]; readonly effects: readonly string[] } {
  const versions = new Set(record.reasons.map(({ resourceVersion }) => resourceVersion).filter(Boolean));
  const reconciles = new Set(record.reasons.map(({ reconcile }) => reconcile).filter(Boolean));
  const causes: string[] = [];
  const effects: string[] = [];
  for (const entry of entries) {
    if (entry.type === "change" && versions.has(entry.change.resourceVersion)) causes.push(entryId(entry));
    if (entry.type !== "reconcile" || entry.reconcile.id === record.id) continue;
    if (reconciles.has(entry.reconcile.id)) causes.push(entryId(entry));
    if (entry.reconcile.reasons.some(({ reconcile }) => reconcile === record.id)) effects.push(entryId(entry));
  }
  return { causes, effects };
}
