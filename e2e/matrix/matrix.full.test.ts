// Tests every combination of the main flags.
import { expect, it } from "vitest";
import { combinations } from "./combinations.ts";
import { testCombinations } from "./matrix.ts";

it("the combinations are numerous", () => {
  expect(combinations.length).toBeGreaterThanOrEqual(60);
});

testCombinations(combinations);
