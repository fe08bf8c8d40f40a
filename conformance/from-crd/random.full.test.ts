import { expect, test } from "vitest";
import { createRandom } from "../../scripts/test-support/random.ts";
import { refusalsOf, tryCrd } from "./crds.ts";
import { randomCrd } from "./random-crd.ts";

// Each day has its own seed, which the title of the test contains.
const seed = Number(process.env.KUBEWRIGHT_SEED ?? Math.floor(Date.now() / 86_400_000));

test(`2000 random CRDs are imported without a loss that isn't listed (KUBEWRIGHT_SEED=${seed})`, async () => {
  let imported = 0;
  for (let round = 0; round < 2000; round++) {
    const text = JSON.stringify(randomCrd(createRandom(seed, round)));
    if (refusalsOf(text).length > 0) continue;
    imported++;
    const { verdict, details } = await tryCrd({ text, file: "crd.yaml" });
    expect(verdict === "not" ? { round, details } : undefined).toBeUndefined();
  }
  expect(imported).toBeGreaterThan(1000);
});
