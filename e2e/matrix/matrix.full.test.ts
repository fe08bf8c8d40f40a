// Every combination of the main flags.
import { expect, it } from "vitest";
import { combinations, sample } from "./combinations.ts";
import { testCombinations } from "./matrix.ts";

it("are many", () => {
  expect(combinations.length).toBeGreaterThanOrEqual(60);
  expect(sample).toHaveLength(4);
});

testCombinations(combinations);
