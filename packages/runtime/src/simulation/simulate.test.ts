import { expect, it } from "vitest";
import { fullTest } from "../../../../scripts/test-support/full-test.ts";
import { Deployment } from "../api/apps/v1.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import type { Manager } from "../manager/manager.ts";
import { always, eventually } from "./checks/invariant.ts";
import { shardFaults } from "./schedule/fault-names.ts";
import { key, Shop, shop, shopCrd, shopOperator, shopScenario } from "./shop.fixture.ts";
import { SimulationError, simulate } from "./simulate.ts";

const base = { crds: [shopCrd], kstatus: false, operator: shopOperator, scenario: shopScenario };

fullTest("a correct operator has no findings, and the default options inject each fault", async () => {
  const { findings, schedules, faults } = await simulate({ ...base, seeds: 80 });
  expect(findings).toEqual([]);
  expect(schedules).toBe(81);
  const missing = Object.entries(faults).flatMap(([name, count]) => (count === 0 ? [name] : []));
  // These need replicas that share the objects.
  expect(missing).toEqual([...shardFaults]);
});

it("simulate throws the shortest schedule that breaks an invariant", async () => {
  const impossible = eventually("a Shop has no Deployment", (world) => world.list(Deployment).length === 0);
  const error = await simulate({ ...base, invariants: [impossible] }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SimulationError);
  const { finding, message } = error as SimulationError;
  expect(finding).toMatchObject({ invariant: "a Shop has no Deployment", seed: 0, faults: [] });
  expect(message).toContain("replay: set seed: 0 in the options of simulate");
  expect(message).toContain("create Deployment default/a");
});

it("simulate checks rules after each write, with the state of the server", async () => {
  const seen: (number | undefined)[] = [];
  const watching = always("watches", (world) => {
    seen.push(world.object(Shop, key)?.spec.replicas);
    expect(world.list(Shop).length).toBeLessThan(2);
  });
  await simulate({ ...base, invariants: [watching], seeds: 1, faults: [] });
  expect(new Set(seen)).toEqual(new Set([1, 3, undefined]));
});

fullTest("simulate tolerates a broken rule if a process uses an older state than another one has read", async () => {
  let broken = 0;
  const kept = always("a reconciled Shop has its replicas", (world) => {
    const shop = world.object(Shop, key);
    const deployment = world.object(Deployment, key);
    if (!shop || !deployment || shop.status?.observedGeneration !== shop.metadata.generation) return true;
    const holds = deployment.spec?.replicas === shop.spec.replicas;
    if (!holds) broken++;
    return holds;
  });
  const { findings } = await simulate({ ...base, invariants: [kept], seeds: 70, faults: ["stale"] });
  expect(findings).toEqual([]);
  expect(broken).toBeGreaterThan(0);
});

it("simulate passes virtual time, seeded random numbers and restarts to scenarios", async () => {
  const times: number[] = [];
  const numbers: number[] = [];
  let starts = 0;
  await simulate({
    ...base,
    seed: 3,
    faults: [],
    operator: async (mgr: Manager) => {
      starts++;
      await shopOperator(mgr);
    },
    scenario: async (world) => {
      const begin = Date.now();
      await world.advance(3_600_000);
      times.push(Date.now() - begin);
      numbers.push(world.random());
      const before = starts;
      await world.restart();
      await world.settled();
      expect(starts).toBeGreaterThan(before);
    },
  });
  expect(new Set(times)).toEqual(new Set([3_600_000]));
  expect(new Set(numbers).size).toBe(1);
});

it("settled doesn't wait for lease renewals and watch bookmarks if a process leads", async () => {
  const waited: number[] = [];
  await simulate({
    ...base,
    replicas: 2,
    seeds: 2,
    faults: [],
    scenario: async (world) => {
      await world.client.create(shop());
      await world.settled();
      expect(world.object(Deployment, key)).toBeDefined();
      const begin = Date.now();
      await world.settled();
      waited.push(Date.now() - begin);
    },
  });
  // Some schedules restart processes before that, so that the lease must expire.
  expect(Math.min(...waited)).toBe(0);
});

it("simulate records the calls of an external system, and resets its state", async () => {
  const system = {
    calls: [] as string[],
    async call(name: string) {
      system.calls.push(name);
      return name.length;
    },
  };
  const lengths: number[] = [];
  await simulate({
    crds: [shopCrd],
    kstatus: false,
    external: system,
    seeds: 3,
    faults: [],
    operator: async (mgr) => {
      await newControllerManagedBy(mgr)
        .for(Shop)
        .complete({ reconcile: async () => void (await system.call("hello")) });
    },
    scenario: async (world) => {
      expect(world.external).toBe(system);
      lengths.push(system.calls.length);
      await world.client.create(shop());
      await world.settled();
      expect(system.calls.length).toBeGreaterThan(0);
    },
  });
  expect(lengths.every((length) => length === 0)).toBe(true);
});

it("simulate reports the error of a scenario that fails without faults", async () => {
  const scenario = async (): Promise<void> => {
    throw new Error("no such shop");
  };
  await expect(simulate({ ...base, scenario })).rejects.toThrow("no such shop");
});

it.each([
  [{ replicas: 0 }, "replicas 0: must be a positive integer"],
  [{ replicas: 2, leaderElection: false }, "replicas 2: several processes need leaderElection"],
  [{ faults: ["crush"] as never }, 'fault "crush": must be one of stale, crash'],
  [{ scenario: undefined as never }, "simulate: scenario must be a function"],
  [{ crdDirectoryPaths: ["missing"] }, "missing: no such file or directory"],
])("simulate rejects %j", async (options, message) => {
  await expect(simulate({ ...base, ...options })).rejects.toThrow(message);
});
