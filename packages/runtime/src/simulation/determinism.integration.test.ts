import { expect, it } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import { prepare } from "./prepare.ts";
import { runSchedule } from "./run.ts";
import { noDecisions } from "./schedule/choices.ts";
import { faultNames } from "./schedule/fault-names.ts";
import { shopCrd, shopOperator, shopScenario } from "./shop.fixture.ts";

async function hashes(seeds: readonly number[]): Promise<string[]> {
  const prepared = prepare({ crds: [shopCrd], kstatus: false, operator: shopOperator, scenario: shopScenario });
  try {
    const expected = await runSchedule({ prepared, seed: 1, faults: [], decisions: noDecisions });
    const hashesOfRuns = [expected.timeline.hash()];
    for (const seed of seeds) {
      const result = await runSchedule({ prepared, seed, faults: faultNames, expected });
      hashesOfRuns.push(result.timeline.hash());
    }
    return hashesOfRuns;
  } finally {
    await prepared.release();
  }
}

const seeds = [1, 2, 3, 4, 5, 6, 7, 8, 22, 118];

fullTest("runs with the same seed have the same events, and those with other seeds differ", async () => {
  const first = await hashes(seeds);
  expect(await hashes(seeds)).toEqual(first);
  expect(new Set(first).size).toBe(first.length);
});

it("a run can be repeated from its decisions", async () => {
  const prepared = prepare({ crds: [shopCrd], kstatus: false, operator: shopOperator, scenario: shopScenario });
  try {
    const expected = await runSchedule({ prepared, seed: 1, faults: [], decisions: noDecisions });
    for (const seed of seeds) {
      const settings = { prepared, seed, faults: faultNames, expected };
      const result = await runSchedule(settings);
      const again = await runSchedule({ ...settings, decisions: result.decisions });
      expect(again.timeline.hash()).toBe(result.timeline.hash());
    }
  } finally {
    await prepared.release();
  }
});
