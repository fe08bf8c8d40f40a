import { describe, expect, it } from "vitest";
import type { ReconcileRecord, TimelineEntry } from "../protocol/protocol.ts";
import { entryId, filterEntries, marksOf, mergeEntries, relatedIds } from "./timeline.ts";

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();

function reconcile(id: string, seconds: number, changes: Partial<ReconcileRecord> = {}): TimelineEntry {
  const time = at(seconds);
  return {
    type: "reconcile",
    time,
    reconcile: {
      id,
      controller: "game",
      object: { kind: "Game", namespace: "default", name: "chess" },
      time,
      durationMs: 1,
      reasons: [],
      reads: [],
      writes: [],
      calls: [],
      logs: [],
      steps: [],
      pid: 1,
      result: { requeueAfter: 0 },
      error: null,
      ...changes,
    },
  };
}

const change = (resourceVersion: string, seconds: number, by = "kubectl"): TimelineEntry => ({
  type: "change",
  time: at(seconds),
  change: { resourceVersion, time: at(seconds), type: "modified", by, changed: ["spec.replicas"], diff: "" },
});

const everything = { text: "", hidden: new Set<never>(), failedOnly: false };
const ids = (entries: readonly TimelineEntry[]): string[] => entries.map(entryId);

describe("timelines", () => {
  const failed = reconcile("b", 3, { error: { message: "quota exceeded" } });
  const entries = [failed, reconcile("a", 2), change("7", 1)];

  it("are filtered by type, failure and words", () => {
    expect(ids(filterEntries(entries, everything))).toEqual(["reconcile-b", "reconcile-a", "change-7-modified"]);
    expect(ids(filterEntries(entries, { ...everything, hidden: new Set(["reconcile"]) }))).toEqual([
      "change-7-modified",
    ]);
    expect(ids(filterEntries(entries, { ...everything, failedOnly: true }))).toEqual(["reconcile-b"]);
    expect(ids(filterEntries(entries, { ...everything, text: "QUOTA exceeded" }))).toEqual(["reconcile-b"]);
    expect(ids(filterEntries(entries, { ...everything, text: "kubectl replicas" }))).toEqual(["change-7-modified"]);
  });

  it("merge new entries without duplicates, the latest first, and drop the oldest", () => {
    const merged = mergeEntries(entries, [reconcile("c", 4), reconcile("a", 2)], 3);
    expect(ids(merged)).toEqual(["reconcile-c", "reconcile-b", "reconcile-a"]);
  });

  it("link a reconcile to the changes that caused it and the reconciles that followed", () => {
    const cause = change("7", 1);
    const first = reconcile("a", 2, { reasons: [{ type: "update", resourceVersion: "7", time: at(1) }] });
    const second = reconcile("b", 3, { reasons: [{ type: "update", reconcile: "a", time: at(2) }] });
    const all = [second, first, cause];
    expect(first.type === "reconcile" && relatedIds(first.reconcile, all)).toEqual({
      causes: ["change-7-modified"],
      effects: ["reconcile-b"],
    });
    expect(second.type === "reconcile" && relatedIds(second.reconcile, all).causes).toEqual(["reconcile-a"]);
  });

  it("draw the oldest entry at the left, and separate entries of the same moment", () => {
    const marks = marksOf([reconcile("c", 100), reconcile("b", 1), reconcile("a", 1)]);
    expect(marks.map(({ id }) => id)).toEqual(["reconcile-a", "reconcile-b", "reconcile-c"]);
    const [first, second, third] = marks.map(({ x }) => x) as [number, number, number];
    expect(first).toBe(0);
    expect(second).toBeGreaterThan(0.1);
    expect(third).toBe(1);
    expect(third - second).toBeGreaterThan(second - first);
    expect(marksOf([failed])[0]).toMatchObject({ x: 0.5, failed: true });
  });
});
