import { expect, it } from "vitest";
import { testDirectory } from "../scaffold/test-support/tree.ts";
import { findingsAfterRandomSteps } from "./test-support/random-sequence.ts";

const sequences = Number(process.env.KUBEWRIGHT_SEQUENCES ?? 60);
const first = Number(process.env.KUBEWRIGHT_SEED ?? Date.now() % 1_000_000);

it(`upgrade finds nothing after each step of ${sequences} random sequences, from seed ${first} on`, async () => {
  const findings: string[] = [];
  for (let seed = first; seed < first + sequences; seed++) {
    const finding = await findingsAfterRandomSteps(testDirectory(), seed, 25);
    if (finding !== undefined) findings.push(finding);
  }
  expect(findings).toEqual([]);
});
