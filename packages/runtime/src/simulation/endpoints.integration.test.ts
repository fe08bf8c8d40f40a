import { expect, it } from "vitest";
import type { Service } from "../api/core/v1.ts";
import { EndpointSlice } from "../api/discovery/v1.ts";
import { eventually } from "./checks/invariant.ts";
import type { SimulateOptions } from "./options/options.ts";
import { shop, shopCrd, shopOperator } from "./shop.fixture.ts";
import { simulate } from "./simulate.ts";

const service: Service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { namespace: "default", name: "a" },
  spec: { selector: { shop: "a" }, ports: [{ port: 80 }] },
};

const runsWithoutFaults = 2;

async function endpointsOf(readsFrom: number): Promise<number[]> {
  let runs = 0;
  const counts: number[] = [];
  const options: SimulateOptions = {
    crds: [shopCrd],
    kstatus: false,
    operator: shopOperator,
    seeds: 2,
    faults: [],
    scenario: async (world) => {
      runs++;
      await world.client.create(shop());
      await world.client.create(service);
    },
    invariants: [
      eventually("is counted", (world) => {
        if (runs > readsFrom) counts.push(world.list(EndpointSlice).length);
        return true;
      }),
    ],
  };
  const { findings, schedules } = await simulate(options);
  expect([findings, schedules]).toEqual([[], 3]);
  return counts;
}

it("the simulated cluster has endpoints if the rules read them", async () => {
  expect(await endpointsOf(0)).toEqual([1, 1, 1, 1]);
});

it("a schedule runs again with endpoints if its rules read them first in that schedule", async () => {
  expect(await endpointsOf(runsWithoutFaults)).toEqual([0, 1, 0, 1]);
});
