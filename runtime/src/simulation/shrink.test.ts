import { expect, it, vi } from "vitest";
import type { RunResult, RunSettings } from "./run-settings.ts";
import { shrink } from "./shrink.ts";

it.each([
  { steps: 10, runs: 150 },
  { steps: 50_000, runs: 4 },
])("shrink ends after $runs runs of $steps steps each", async ({ steps, runs }) => {
  const faults = new Map(Array.from({ length: 500 }, (_, index) => [`crash#${index}`, 1] as const));
  const failed = {
    violation: { invariant: "a", message: "" },
    decisions: { order: new Map(), faults },
  } as unknown as RunResult;
  const run = vi.fn(async () => ({ violation: undefined, steps }) as RunResult);
  expect(await shrink({} as RunSettings, failed, run)).toBe(failed);
  expect(run).toHaveBeenCalledTimes(runs);
});

it("shrink finds the one fault of many that matters with few long runs", async () => {
  const faults = new Map(Array.from({ length: 64 }, (_, index) => [`crash#${index}`, 1] as const));
  const violation = { invariant: "a", message: "" };
  const result = (decisions: unknown, isFound: boolean) =>
    ({ decisions, steps: 12_000, violation: isFound ? violation : undefined }) as unknown as RunResult;
  const run = vi.fn(async ({ decisions }: RunSettings) =>
    result(decisions, decisions?.faults.has("crash#40") ?? false),
  );
  const shortest = await shrink({} as RunSettings, result({ order: new Map(), faults }, true), run);
  expect([...shortest.decisions.faults.keys()]).toEqual(["crash#40"]);
});
