import { expect, it, vi } from "vitest";
import type { RunResult, RunSettings } from "./run-settings.ts";
import type { Decisions } from "./schedule/choices.ts";
import { SeededRandom } from "./schedule/random.ts";
import { shrink } from "./shrink.ts";

it.each([
  { steps: 10, mostRuns: 20_000 },
  { steps: 50_000, mostRuns: 4 },
])("shrink ends after at most $mostRuns runs of $steps steps each", async ({ steps, mostRuns }) => {
  const faults = new Map(Array.from({ length: 500 }, (_, index) => [`crash at rest#${index}`, 1] as const));
  const failed = {
    violation: { invariant: "a", message: "" },
    decisions: { order: new Map(), faults },
  } as unknown as RunResult;
  const run = vi.fn(async () => ({ violation: undefined, steps }) as RunResult);
  expect(await shrink({} as RunSettings, failed, run)).toBe(failed);
  expect(run.mock.calls.length).toBeLessThanOrEqual(mostRuns);
});

it("shrink finds the one fault of many that matters with few long runs", async () => {
  const faults = new Map(Array.from({ length: 64 }, (_, index) => [`crash at rest#${index}`, 1] as const));
  const violation = { invariant: "a", message: "" };
  const result = (decisions: unknown, isFound: boolean) =>
    ({ decisions, steps: 12_000, violation: isFound ? violation : undefined }) as unknown as RunResult;
  const run = vi.fn(async ({ decisions }: RunSettings) =>
    result(decisions, decisions?.faults.has("crash at rest#40") ?? false),
  );
  const shortest = await shrink({} as RunSettings, result({ order: new Map(), faults }, true), run);
  expect([...shortest.decisions.faults.keys()]).toEqual(["crash at rest#40"]);
});

/** Shrinks a schedule that breaks a rule exactly if a condition holds for its faults. */
async function shrunk(keys: readonly string[], isBroken: (keys: readonly string[]) => boolean) {
  const violation = { invariant: "a", message: "" };
  const runs: (readonly string[])[] = [];
  const result = (decisions: Decisions) => {
    const present = [...decisions.faults.keys()];
    runs.push(present);
    return { decisions, steps: 30, violation: isBroken(present) ? violation : undefined } as unknown as RunResult;
  };
  const run = async ({ decisions }: RunSettings) => result(decisions as Decisions);
  const failed = result({ order: new Map([[1, 2]]), faults: new Map(keys.map((key) => [key, 1])) });
  const { decisions } = await shrink({} as RunSettings, failed, run);
  return { left: [...decisions.faults.keys()], runs };
}

const kinds = ["crash", "recreate", "stale", "watch"];
const keysOf = (each: number): string[] =>
  kinds.flatMap((kind) => Array.from({ length: each }, (_, index) => `${kind} at PUT shops#${index}`));

it("shrink removes whole kinds of faults first", async () => {
  const { left, runs } = await shrunk(keysOf(10), (keys) => keys.some((key) => key.startsWith("recreate")));
  expect(left).toHaveLength(1);
  expect(left[0]).toMatch(/^recreate/);
  const single = runs.findIndex((keys) => keys.every((key) => key.startsWith("recreate")));
  expect(single).toBeLessThan(5);
});

it("shrink ends with faults of which none can be removed, also if faults depend on each other", async () => {
  const random = new SeededRandom(7, 1);
  for (let round = 0; round < 200; round++) {
    const keys = keysOf(5);
    // A part of the faults breaks the rule, or another part does. A fault may prevent it unless another one happens.
    const parts = [0, 1].map(() => keys.filter(() => random.next() < 0.15));
    const [spoiler, rescue] = [
      keys[Math.floor(random.next() * 20)] as string,
      keys[Math.floor(random.next() * 20)] as string,
    ];
    const isBroken = (present: readonly string[]): boolean =>
      parts.some((part) => part.every((key) => present.includes(key))) &&
      (!present.includes(spoiler) || present.includes(rescue));
    if (!isBroken(keys)) continue;
    const { left } = await shrunk(keys, isBroken);
    expect(isBroken(left)).toBe(true);
    for (const key of left) expect(isBroken(left.filter((one) => one !== key))).toBe(false);
  }
});
