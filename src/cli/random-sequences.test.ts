import { expect, it } from "vitest";
import { testDirectory } from "../scaffold/test-support/tree.ts";
import { findingsAfterRandomSteps } from "./test-support/random-sequence.ts";

// More of them, and longer ones, are in random-sequences.full.test.ts.
it.each([22, 3])("upgrade finds nothing after each step of the random sequence %i", async (seed) => {
  expect(await findingsAfterRandomSteps(testDirectory(), seed, 6)).toBeUndefined();
});
