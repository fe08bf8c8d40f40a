import { expect, test } from "vitest";
import { seededNumbers } from "../../../scripts/test-support/random.ts";
import { misread, nearMarker, randomBytes } from "./test-support/fuzz.ts";

// A seed of its own for each day, printed where something fails.
const seed = Number(process.env.KUBEWRIGHT_SEED ?? Math.floor(Date.now() / 86_400_000));

test.each([
  ["random bytes", randomBytes],
  ["what is nearly a marker", nearMarker],
] as const)(
  `half a million inputs, %s, are read without an exception, in time and in place (KUBEWRIGHT_SEED=${seed})`,
  (_, make) => {
    const random = seededNumbers(seed);
    // No expectation for each round: a million of them take longer than the parser.
    let wrong: string | undefined;
    for (let round = 0; round < 500_000 && wrong === undefined; round++) wrong = misread(make(random), random);
    expect(wrong).toBeUndefined();
  },
);
