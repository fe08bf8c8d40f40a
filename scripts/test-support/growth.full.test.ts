import { expect, it } from "vitest";
import { isLinear } from "./growth.ts";

/** Takes the time of a number of steps. */
function work(steps: number): number {
  let sum = 0;
  for (let step = 0; step < steps; step++) sum = (sum * 31 + step) | 0;
  return sum;
}

/** Uses the processor as a busy machine does: sometimes much longer than the operation itself. */
function noisy(steps: number, random: () => number): void {
  work(random() < 0.2 ? steps * 8 : steps);
}

it.each([
  ["linear", (size: number) => work(size * 100), true],
  ["linear with a constant cost", (size: number) => work(2_000_000 + size * 100), true],
  ["linear with a logarithm", (size: number) => work(size * 20 * Math.log2(size)), true],
  ["quadratic", (size: number) => work((size * size) / 10), false],
])("finds whether processor time grows linearly: %s", (_, run, expected) => {
  expect(isLinear(run, (size) => size, { to: 300_000 })).toBe(expected);
});

it("isn't misled by measurements that are sometimes much too long", () => {
  let state = 1;
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  for (let round = 0; round < 5; round++) {
    expect(
      isLinear(
        (size: number) => noisy(size * 100, random),
        (size) => size,
        { to: 300_000 },
      ),
    ).toBe(true);
  }
  expect(
    isLinear(
      (size: number) => noisy((size * size) / 10, random),
      (size) => size,
      { to: 300_000 },
    ),
  ).toBe(false);
});
