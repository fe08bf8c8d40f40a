// Children that users keep or hold are in states that no operator can change. None of these is a fault of a correct operator.
import { describe, expect, it } from "vitest";
import { Deployment } from "../../api/apps/v1.ts";
import type { SimulateOptions } from "../options/options.ts";
import { type FaultName, faultNames } from "../schedule/fault-names.ts";
import { key, Shop, schedules, shop, shopCrd, shopOperator } from "../shop.fixture.ts";
import { simulate } from "../simulate.ts";

type Scenario = NonNullable<SimulateOptions["scenario"]>;

const hold = { metadata: { finalizers: ["example.com/hold"] } };

const scenarios: Record<string, Scenario> = {
  "a user removes the owner from a child": async (world) => {
    await world.client.create(shop());
    await world.settled();
    await world.client.patch(Deployment, key, { metadata: { ownerReferences: null } });
    await world.settled();
  },
  "a user's finalizer holds a child": async (world) => {
    await world.client.create(shop());
    await world.settled();
    await world.client.patch(Deployment, key, hold);
    await world.settled();
  },
  "a user's finalizer holds a child of a deleted object": async (world) => {
    await world.client.create(shop());
    await world.settled();
    await world.client.patch(Deployment, key, hold);
    await world.client.delete(Shop, key);
    await world.settled();
  },
  "a user's finalizer holds a child that the user deletes": async (world) => {
    await world.client.create(shop());
    await world.settled();
    await world.client.patch(Deployment, key, hold);
    await world.client.delete(Deployment, key);
    await world.settled();
  },
  "a user deletes an object in the foreground": async (world) => {
    await world.client.create(shop());
    await world.settled();
    await world.client.patch(Deployment, key, hold);
    await world.client.delete({ ...shop() }, { propagationPolicy: "Foreground" });
    await world.settled();
  },
  "a user's finalizer holds a deleted object": async (world) => {
    const held = shop();
    await world.client.create({ ...held, metadata: { ...held.metadata, ...hold.metadata } });
    await world.settled();
    await world.client.delete(Shop, key);
    await world.settled();
  },
};

describe.each(Object.entries(scenarios))("%s", (_, scenario) => {
  it.each<[readonly FaultName[]]>([[["recreate", "hands", "gc"]], [faultNames]])(
    "causes no finding with the faults %s",
    async (faults) => {
      const { findings } = await simulate({
        crds: [shopCrd],
        kstatus: false,
        operator: shopOperator,
        faults: [...faults],
        scenario,
        seeds: schedules(40),
      });
      expect(findings).toEqual([]);
    },
  );
});
