import { expect, test } from "vitest";
import { seededNumbers } from "../../../scripts/test-support/random.ts";
import { naturalLess } from "./natural-order.ts";
import { sortKeys } from "./yaml-keys.ts";

const random = seededNumbers(815);

const shuffled = <T>(values: readonly T[]) =>
  values
    .map((value) => ({ value, place: random(1_000_000) }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);

/** Returns the only order in which each key is less than all keys after it, if there is one. */
function orderByAllPairs(keys: readonly string[]): string[] | undefined {
  const wins = (key: string) => keys.filter((other) => other !== key && naturalLess(key, other)).length;
  const sorted = keys.toSorted((a, b) => wins(b) - wins(a));
  return new Set(keys.map(wins)).size === keys.length ? sorted : undefined;
}

test("sortKeys sorts by natural order, and in a fixed order if that has a cycle", () => {
  const alphabets = ["012a", "01a.", "v10b", "01aé.٣", "0𝟏a1-", "000012z", "019"].map((each) => [...each]);
  const circles = { none: 0, some: 0 };
  for (let round = 0; round < 4000; round++) {
    const alphabet = alphabets[random(alphabets.length)]!;
    const longest = random(20) === 0 ? 24 : 1 + random(5);
    const key = () => Array.from({ length: random(longest + 1) }, () => alphabet[random(alphabet.length)]).join("");
    const keys = [...new Set(Array.from({ length: 2 + random(7) }, key))];
    const expected = orderByAllPairs(keys);
    const sorted = sortKeys(keys);
    circles[expected ? "none" : "some"]++;
    if (expected) expect(sorted, JSON.stringify(keys)).toEqual(expected);
    expect(sortKeys(shuffled(keys))).toEqual(sorted);
  }
  expect(Math.min(circles.none, circles.some)).toBeGreaterThan(100);
});

test("sortKeys finds a cycle of letters after numbers only if another number is between them", () => {
  expect(sortKeys(["v1beta1", "v10", "v1", "v100"])).toEqual(["v1", "v10", "v100", "v1beta1"]);
  expect(sortKeys(["v1beta1", "v10", "v2"])).toEqual(["v1beta1", "v2", "v10"]);
  expect(sortKeys(["v10", "v2", "v10beta1", "v2beta1"])).toEqual(["v2", "v2beta1", "v10", "v10beta1"]);
});

test("sortKeys sorts many keys in bounded time", () => {
  const count = 50_000;
  const maps = {
    numbered: (index: number) => `field${index}`,
    lettered: (index: number) => `field${index}${index % 2 === 0 ? "a" : ""}`,
    padded: (index: number) => `field${String(index).padStart(8, "0")}`,
  };
  for (const [name, key] of Object.entries(maps)) {
    const keys = shuffled(Array.from({ length: count }, (_, index) => key(index)));
    const start = process.cpuUsage();
    expect(sortKeys(keys)).toHaveLength(count);
    const { user, system } = process.cpuUsage(start);
    // It takes a fifth of a second. A comparison of all pairs would take minutes.
    expect((user + system) / 1e6, name).toBeLessThan(5);
  }
});
