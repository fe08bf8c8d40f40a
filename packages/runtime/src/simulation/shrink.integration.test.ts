import { expect, it } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import { thorough } from "../../../../scripts/test-support/thorough.ts";
import { Deployment } from "../api/apps/v1.ts";
import { runBaseline } from "./baseline.ts";
import { always, eventually } from "./checks/invariant.ts";
import type { Baseline } from "./checks/run-checks.ts";
import { execute } from "./execute.ts";
import { prepare } from "./prepare.ts";
import { faultNames } from "./schedule/fault-names.ts";
import { reconcileShops, shopCrd, shopScenario, syncDeployment } from "./shop.fixture.ts";
import { shrink } from "./shrink.ts";
import { type SimulationError, simulate } from "./simulate.ts";

/** An operator that creates each Deployment only once, as far as it remembers. */
const forgetful = {
  crds: [shopCrd],
  scenario: shopScenario,
  operator: async (mgr: Parameters<typeof reconcileShops>[0]) => {
    const done = new Set<string>();
    await reconcileShops(mgr, Deployment, async (shop) => {
      if (done.has(`${shop.metadata.uid} ${shop.spec.replicas}`)) return;
      done.add(`${shop.metadata.uid} ${shop.spec.replicas}`);
      await syncDeployment(mgr.client, shop);
    });
  },
};

fullTest("no fault can be removed from a shortest schedule", async () => {
  const prepared = prepare(forgetful);
  try {
    const expected = (await runBaseline(prepared, 1)).baseline as Baseline;
    let findings = 0;
    for (let seed = 1; seed <= 150 && (thorough || findings < 2); seed++) {
      const settings = { prepared, seed, faults: faultNames, expected };
      const failed = await execute(settings);
      if (!failed.violation) continue;
      findings++;
      const { decisions, violation } = await shrink(settings, failed);
      expect(violation?.invariant).toBe(failed.violation.invariant);
      for (const key of decisions.faults.keys()) {
        const faults = new Map([...decisions.faults].filter(([one]) => one !== key));
        const result = await execute({ ...settings, decisions: { ...decisions, faults } });
        expect(result.violation?.invariant).not.toBe(failed.violation.invariant);
      }
    }
    expect(findings).toBeGreaterThan(0);
  } finally {
    await prepared.release();
  }
});

it.each([
  always("no Deployment has three replicas", (world) =>
    world.list(Deployment).every(({ spec }) => spec?.replicas !== 3),
  ),
  eventually("no Deployment has three replicas", (world) =>
    world.list(Deployment).every(({ spec }) => spec?.replicas !== 3),
  ),
])("a finding contains the position of the write that broke a rule: $when", async (invariant) => {
  const options = { ...forgetful, invariants: [invariant], seeds: 1 };
  const { finding } = (await simulate(options).catch((error: unknown) => error)) as SimulationError;
  expect(finding.timeline[finding.position]).toMatchObject({
    action: "update",
    actor: "operator-1",
    object: "Deployment default/a",
    detail: "spec.replicas: 1 → 3",
  });
});
