import { expect, test } from "vitest";
import { seededNumbers } from "../../../scripts/test-support/random.ts";
import { misread, nearMarker, randomBytes } from "./test-support/fuzz.ts";

// Each day has its own seed, which the title of the test contains.
const seed = Number(process.env.KUBEWRIGHT_SEED ?? Math.floor(Date.now() / 86_400_000));

test.each([
  ["random bytes", randomBytes],
  ["texts similar to markers", nearMarker],
] as const)(
  `half a million inputs, %s, are read in time, without an exception, and with valid positions (KUBEWRIGHT_SEED=${seed})`,
  (_, make) => {
    const random = seededNumbers(seed);
    // A call of expect per round would take longer than the parser.
    let wrong: string | undefined;
    for (let round = 0; round < 500_000 && wrong === undefined; round++) wrong = misread(make(random), random);
    expect(wrong).toBeUndefined();
  },
);
