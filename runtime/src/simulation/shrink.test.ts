import { expect, it, vi } from "vitest";
import { execute } from "./execute.ts";
import type { RunResult, RunSettings } from "./run-settings.ts";
import { shrink } from "./shrink.ts";

vi.mock(import("./execute.ts"), () => ({ execute: vi.fn() }));

it.each([
  { steps: 10, runs: 150 },
  { steps: 50_000, runs: 4 },
])("ends after $runs runs of $steps steps each", async ({ steps, runs }) => {
  const faults = new Map(Array.from({ length: 500 }, (_, index) => [`crash#${index}`, 1] as const));
  const failed = {
    violation: { invariant: "a", message: "" },
    decisions: { order: new Map(), faults },
  } as unknown as RunResult;
  vi.mocked(execute)
    .mockReset()
    .mockResolvedValue({ violation: undefined, steps } as RunResult);
  expect(await shrink({} as RunSettings, failed)).toBe(failed);
  expect(execute).toHaveBeenCalledTimes(runs);
});
