import { describe, expect, it } from "vitest";
import { isBadCondition } from "./conditions.ts";
import { parseDiff } from "./diff.ts";
import { kindMark } from "./kind-mark.ts";
import { bars, percentile } from "./plot.ts";
import { objectHref, parseRoute } from "./route.ts";
import { formatAge, formatDuration, formatUntil } from "./time.ts";

describe("formats", () => {
  it("prints ages and durations with their units", () => {
    expect([-5, 59_000, 119_000, 120_000, 7_200_000, 172_800_000].map(formatAge)).toEqual([
      "0s",
      "59s",
      "119s",
      "2m",
      "2h",
      "2d",
    ]);
    expect([0.25, 3, 12.4, 1234, 45_000, 300_000, 10_800_000].map(formatDuration)).toEqual([
      "0.3 ms",
      "3 ms",
      "12 ms",
      "1.2 s",
      "45 s",
      "5 min",
      "3 h",
    ]);
    expect(formatUntil("2026-01-01T00:00:03.200Z", Date.UTC(2026, 0, 1))).toBe("in 3.2 s");
    expect(formatUntil("2026-01-01T00:00:00Z", Date.UTC(2026, 0, 2))).toBe("now");
  });

  it("parses diffs whose lines look like headers", () => {
    const { lines, added, removed } = parseDiff("--- before\n+++ after\n@@ -1,2 +1,2 @@\n---- a\n+++ b\n c\n");
    expect(lines.map(({ type, text }) => `${type} ${text}`)).toEqual([
      "hunk @@ -1,2 +1,2 @@",
      "removed --- a",
      "added ++ b",
      "context c",
    ]);
    expect([added, removed]).toEqual([1, 1]);
    expect(parseDiff("").lines).toEqual([]);
    expect(parseDiff("(too many changes for a diff)\n").lines[0]?.type).toBe("note");
  });

  it("keeps the names of objects in URLs unchanged", () => {
    const object = { apiVersion: "a.io/v1", kind: "Game", namespace: "x", name: "a.b/<c>?#%" };
    expect(parseRoute(objectHref(object, { tab: "yaml" }))).toEqual({ view: "objects", object, tab: "yaml" });
    expect(parseRoute(objectHref({ kind: "Node", name: "n" })).object).toEqual({ kind: "Node", name: "n" });
    expect(parseRoute("#/caches").view).toBe("caches");
    expect(parseRoute("#/%E0%A4%A").view).toBe("objects");
  });

  it("abbreviates kinds", () => {
    expect(["Deployment", "ReplicaSet", "PersistentVolumeClaim", "x"].map(kindMark)).toEqual(["DE", "RS", "PVC", "X"]);
  });

  it("recognizes conditions that indicate a problem when they are true", () => {
    expect(isBadCondition("Ready", "False")).toBe(true);
    expect(isBadCondition("Degraded", "False")).toBe(false);
    expect(isBadCondition("MemoryPressure", "True")).toBe(true);
    expect(isBadCondition("Ready", "Unknown")).toBe(false);
  });

  it("draws the latest value at the right, and a value of zero as nothing", () => {
    expect(percentile([5, 1, 9], 0.5)).toBe(5);
    expect(percentile([], 0.95)).toBe(0);
    expect(bars([0, 2, 1], 4, 40, 10).map(({ x, height }) => [x, height])).toEqual([
      [10, 0],
      [20, 10],
      [30, 5],
    ]);
  });
});
