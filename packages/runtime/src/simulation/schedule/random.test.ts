import { expect, it } from "vitest";
import { SeededRandom } from "./random.ts";

it("SeededRandom returns the same numbers for a seed on each machine", () => {
  const random = new SeededRandom(1);
  const first = [random.bits(), random.bits(), random.bits()];
  const again = new SeededRandom(1);
  expect([again.bits(), again.bits(), again.bits()]).toEqual(first);
  expect(first).toMatchInlineSnapshot(`
    [
      2404969600,
      1756567735,
      503298815,
    ]
  `);
});

it("SeededRandom returns other numbers for other seeds and streams", () => {
  const firsts = [new SeededRandom(1), new SeededRandom(2), new SeededRandom(1, 1), new SeededRandom(2 ** 33 + 1)];
  expect(new Set(firsts.map((random) => random.bits())).size).toBe(4);
});

it("SeededRandom returns all integers below a limit with about the same frequency", () => {
  const random = new SeededRandom(7);
  const counts = [0, 0, 0, 0, 0];
  for (let draw = 0; draw < 10_000; draw++) counts[random.below(5)]!++;
  for (const count of counts) expect(Math.abs(count - 2000)).toBeLessThan(200);
});
