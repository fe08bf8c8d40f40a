// Simulates scenarios that change a child, which must not cause a finding.
import { expect, it } from "vitest";
import { Deployment } from "../api/apps/v1.ts";
import { eventually } from "./checks/invariant.ts";
import type { SimulateOptions } from "./options/options.ts";
import { key, Shop, schedules, shop, shopCrd, shopOperator } from "./shop.fixture.ts";
import { simulate } from "./simulate.ts";

async function findingsOf(options: Omit<SimulateOptions, "crds">): Promise<unknown> {
  return (await simulate({ crds: [shopCrd], kstatus: false, ...options })).findings;
}

it("the hands fault doesn't delete a child that the scenario has changed", async () => {
  const findings = await findingsOf({
    seeds: schedules(40),
    faults: ["hands"],
    scenario: async (world) => {
      await world.client.create(shop());
      await world.settled();
      await world.client.patch(Deployment, key, { metadata: { labels: { team: "blue" } } });
      await world.settled();
      await world.client.patch(Shop, key, { spec: { replicas: 3 } });
    },
    operator: shopOperator,
  });
  expect(findings).toEqual([]);
});

it("the recreate fault doesn't replace a child that the scenario has changed", async () => {
  let hasChanged = false;
  const findings = await findingsOf({
    seeds: schedules(60),
    faults: ["recreate"],
    scenario: async (world) => {
      await world.client.create(shop());
      await world.settled();
      await world.client.patch(Deployment, key, { metadata: { labels: { team: "blue" } } });
      await world.settled();
      await world.settled();
    },
    operator: shopOperator,
    invariants: [
      eventually("the label stays", (world) => {
        hasChanged ||= world.object(Deployment, key)?.metadata.labels?.team === "blue";
        return !hasChanged || world.object(Deployment, key)?.metadata.labels?.team === "blue";
      }),
    ],
    external: () => {
      hasChanged = false;
      return {};
    },
  });
  expect(findings).toEqual([]);
});
