// Processes that share the objects: with all faults, none has two owners, and each one is owned again.
import { afterAll, beforeAll, expect, it } from "vitest";
import { variants } from "../../../../scripts/test-support/thorough.ts";
import { shardFaults } from "./schedule/fault-names.ts";
import { operator, sharedShops } from "./shards.fixture.ts";
import { schedules } from "./shop.fixture.ts";
import { simulate } from "./simulate.ts";

/** Running managers share one listener. */
const listeners = () => process.listenerCount("uncaughtExceptionMonitor");
let before = 0;
beforeAll(() => {
  before = listeners();
});
afterAll(() => {
  // A manager that still ran would stay in the memory, and listen to the errors of the process.
  expect(listeners()).toBe(before);
});

it.each(variants(["uid", "namespace"] as const, 1))("key %s: no schedule has two owners", async (key) => {
  const { findings, faults } = await simulate({ ...sharedShops, sharding: { key }, seeds: schedules(40) });
  expect(findings).toEqual([]);
  expect(faults.rescale + faults.skew + faults.crash + faults.time + faults.lost).toBeGreaterThan(0);
});

it("rescale and skew don't happen without sharding", async () => {
  const options = { ...sharedShops, sharding: false, faults: [...shardFaults], seeds: 2 };
  const { faults } = await simulate(options);
  expect([faults.rescale, faults.skew]).toEqual([0, 0]);
});

it("sharding needs an election, and can't be combined with old versions", async () => {
  const one = { ...sharedShops, replicas: 1 };
  await expect(simulate({ ...one, leaderElection: false })).rejects.toThrow("sharding: needs leaderElection");
  await expect(simulate({ ...one, from: { operator } })).rejects.toThrow("sharding: can't be combined with from");
});
