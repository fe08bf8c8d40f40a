import { expect, it } from "vitest";
import { describeFinding, type Finding } from "./finding.ts";
import { shorten } from "./fold.ts";
import { positionOf } from "./position.ts";
import type { TimelineEntry } from "./timeline.ts";

function entry(action: string, step: number, detail = ""): TimelineEntry {
  return { step, time: step, actor: "operator-1", action, object: "Shop default/a", revision: String(step), detail };
}

function actionsOf(timeline: readonly TimelineEntry[], mostLines: number, position?: number): string[] {
  return shorten(timeline, mostLines, position).map((line) => (typeof line === "string" ? line : line.action));
}

/** Events that differ from each other, so that none is part of a cycle. */
function different(count: number, from = 0): TimelineEntry[] {
  return Array.from({ length: count }, (_, index) => entry(`step ${"x".repeat(index)}`, from + index));
}

it("shorten leaves a short timeline unchanged", () => {
  const timeline = [1, 2, 3].map((step) => entry("read", step));
  expect(shorten(timeline, 3)).toEqual(timeline);
});

it("shorten shows a cycle once, although revisions and times differ", () => {
  const rounds = Array.from({ length: 50 }, (_, round) => [
    entry("reconcile", 4 * round),
    entry("error", 4 * round + 1, `at ${round} s`),
  ]).flat();
  const timeline = [entry("create", 0), ...rounds, entry("broken", 300)];
  expect(actionsOf(timeline, 10)).toEqual([
    "create",
    "reconcile",
    "error",
    "… the same 2 events 49 more times",
    "broken",
  ]);
});

it("shorten shows the faults and the end of a timeline without cycles", () => {
  const timeline = different(30).map((one, step) =>
    step === 4 || step === 5 ? { ...one, action: "fault lost" } : one,
  );
  expect(actionsOf(timeline, 6)).toEqual([
    "… 4 events, see --json",
    "fault lost",
    "fault lost",
    "… 22 events, see --json",
    ...timeline.slice(-2).map(({ action }) => action),
  ]);
});

it("shorten shows the write that broke the rule, calls of external systems and deletions of the user's kinds", () => {
  const user = { ...entry("create", 0), actor: "user" };
  const decisive = entry("update", 500, "spec.replicas: 1 → 2");
  const marked = entry("update", 600, 'metadata.deletionTimestamp: none → "2026-01-01T00:00:00Z"');
  const child = { ...entry("delete", 700), object: "Deployment default/a" };
  const timeline = [
    user,
    ...different(60, 1),
    decisive,
    ...different(60, 501),
    entry("external", 590, "3"),
    marked,
    ...different(60, 601),
    child,
    ...different(60, 701),
    entry("delete", 800),
    entry("broken", 900),
  ];
  const shown = shorten(timeline, 10, timeline.indexOf(decisive));
  expect(shown.length).toBeLessThanOrEqual(10);
  for (const kept of [decisive, marked, timeline.find(({ action }) => action === "external")])
    expect(shown).toContain(kept);
  expect(shown).toContainEqual(entry("delete", 800));
  expect(shown).not.toContain(child);
});

it("shorten shows the write that broke the rule, although it is a round of a cycle, and counts hidden calls", () => {
  const timeline = Array.from({ length: 100 }, (_, step) => entry(step % 2 === 0 ? "update" : "external", step));
  const shown = shorten(timeline, 8, 60);
  expect(shown).toContain(timeline[60]);
  expect(shown.length).toBeLessThanOrEqual(8);
  const calls = different(200).map((one, step) =>
    step % 2 === 0 ? one : { ...one, action: "external", detail: one.action },
  );
  expect(
    actionsOf(calls, 9)
      .filter((line) => line.startsWith("…"))
      .join(),
  ).toMatch(/\d+ events, \d+ calls among them/);
  expect(actionsOf(calls, 9).length).toBeLessThanOrEqual(9);
});

it.each([0, 3, 20, 400])("a finding with a message of %i lines takes at most 40 lines", (lines) => {
  const timeline = [...different(500), entry("broken", 501)];
  const message = Array.from({ length: lines }, (_, line) => `line ${line}`).join("\n");
  const finding: Finding = {
    ...{ file: "", test: "", invariant: "a rule", message, seed: 1, faults: [], replay: "…" },
    ...{ timeline, position: 250 },
  };
  const text = describeFinding(finding);
  expect(text.split("\n").length).toBeLessThanOrEqual(40);
  expect(text).toContain(` ${timeline[250]?.action} `);
});

it("positionOf finds the last write of the object that a message names", () => {
  const other = { ...entry("update", 3), object: "Deployment default/b" };
  const timeline = [
    entry("create", 1),
    entry("update", 2),
    other,
    entry("read", 4),
    entry("broken", 5),
    entry("update", 6),
  ];
  expect(positionOf(timeline, "Shop default/a differs")).toBe(1);
  expect(positionOf(timeline, "something else")).toBe(2);
  expect(positionOf([entry("read", 1)], "")).toBe(0);
});
