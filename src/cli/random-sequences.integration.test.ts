import { expect, it } from "vitest";
import { testDirectory } from "../scaffold/test-support/tree.ts";
import { findingsAfterRandomSteps } from "./test-support/random-sequence.ts";

// random-sequences.full.test.ts runs more and longer sequences.
it("upgrade finds nothing after each step of a random sequence", async () => {
  expect(await findingsAfterRandomSteps(testDirectory(), 22, 8)).toBeUndefined();
});
