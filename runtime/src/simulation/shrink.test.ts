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
