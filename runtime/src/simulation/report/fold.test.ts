import { expect, it } from "vitest";
import { shorten } from "./fold.ts";
import type { TimelineEntry } from "./timeline.ts";

function entry(action: string, step: number, detail = ""): TimelineEntry {
  return { step, time: step, actor: "operator-1", action, object: "Shop default/a", revision: String(step), detail };
}

function actionsOf(timeline: readonly TimelineEntry[], mostLines: number): string[] {
  return shorten(timeline, mostLines).map((line) => (typeof line === "string" ? line : line.action));
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
  const timeline = Array.from({ length: 30 }, (_, step) =>
    entry(step === 4 || step === 5 ? "fault lost" : `step ${"x".repeat(step)}`, step),
  );
  expect(actionsOf(timeline, 6)).toEqual([
    "… 4 events, see --json",
    "fault lost",
    "fault lost",
    "… 20 events, see --json",
    ...timeline.slice(-4).map(({ action }) => action),
  ]);
});
