import { expect, it } from "vitest";
import { newControllerManagedBy } from "../../builder/builder.ts";
import { ignoreNotFound } from "../../errors/predicates.ts";
import { eventually } from "../checks/invariant.ts";
import type { SimulateOptions } from "../options/options.ts";
import type { Finding } from "../report/finding.ts";
import { key, Shop, schedules, shop, shopCrd, shopOperator, shopScenario } from "../shop.fixture.ts";
import { type SimulationError, simulate } from "../simulate.ts";

const finalizer = "simulation.test/bucket";

/**
 * Returns an operator that creates a bucket for each shop, and adds its finalizer before or after it.
 *
 * @param isProtected - whether the finalizer is there before the bucket
 * @param field - what the bucket is named after
 */
function buckets(isProtected: boolean, field: "name" | "uid" = "name"): SimulateOptions {
  const cloud = {
    names: new Set<string>(),
    async create(name: string) {
      cloud.names.add(name);
    },
    async remove(name: string) {
      cloud.names.delete(name);
    },
  };
  return {
    crds: [shopCrd],
    kstatus: false,
    external: cloud,
    faults: ["recreate"],
    scenario: shopScenario,
    invariants: [eventually("no bucket without a shop", (world) => cloud.names.size <= world.list(Shop).length)],
    operator: async (mgr) => {
      const { client } = mgr;
      await newControllerManagedBy(mgr)
        .for(Shop)
        .complete({
          async reconcile(_ctx, request) {
            const shop = await ignoreNotFound(client.get(Shop, request));
            if (!shop) return;
            const { [field]: name, finalizers = [], deletionTimestamp } = shop.metadata;
            const update = async (wanted: string[]): Promise<void> => {
              if (wanted.length === finalizers.length) return;
              await client.update({ ...shop, metadata: { ...shop.metadata, finalizers: wanted } });
            };
            if (deletionTimestamp) {
              if (!finalizers.includes(finalizer)) return;
              await cloud.remove(name);
              return update(finalizers.filter((one) => one !== finalizer));
            }
            const wanted = finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer];
            if (isProtected) await update(wanted);
            await cloud.create(name);
            if (!isProtected) await update(wanted);
          },
        });
    },
  };
}

it("the recreate fault deletes an object during its first reconcile, in a schedule of one fault", async () => {
  const error = await simulate(buckets(false)).catch((thrown: unknown) => thrown as SimulationError);
  const { invariant, faults, timeline } = (error as SimulationError).finding satisfies Finding;
  expect(invariant).toBe("no bucket without a shop");
  expect(faults).toEqual(["recreate"]);
  const injected = timeline.filter(({ action }) => action.startsWith("fault"));
  expect(injected.map(({ detail }) => detail)).toEqual(["somebody creates the object again, and deletes it at once"]);
});

it("the recreate fault causes no finding if the finalizer is added first", async () => {
  const { findings, faults } = await simulate({ ...buckets(true), seeds: schedules(60) });
  expect(findings).toEqual([]);
  expect(faults.recreate).toBeGreaterThan(5);
});

it("the recreate fault doesn't delete an object that the scenario keeps", async () => {
  const { findings, faults } = await simulate({
    crds: [shopCrd],
    kstatus: false,
    faults: ["recreate"],
    operator: shopOperator,
    scenario: async (world) => void (await world.client.create(shop())),
    invariants: [eventually("the shop exists", (world) => world.object(Shop, key) !== undefined)],
    seeds: schedules(40),
  });
  expect(findings).toEqual([]);
  expect(faults.recreate).toBeGreaterThan(5);
});

it("the hands fault keeps the finalizers of an object that the recreate fault is about to delete", async () => {
  const { findings } = await simulate({
    ...buckets(true, "uid"),
    faults: ["recreate", "hands"],
    seeds: 1500,
  });
  expect(findings).toEqual([]);
});

it.each(["recreate", "hands"] as const)(
  "the %s fault leaves an object alone that a finalizer of a user holds",
  async (name) => {
    const { findings } = await simulate({
      crds: [shopCrd],
      kstatus: false,
      operator: shopOperator,
      faults: [name],
      scenario: async (world) => {
        const held = shop();
        await world.client.create({ ...held, metadata: { ...held.metadata, finalizers: ["example.com/hold"] } });
        await world.settled();
        await world.client.patch(Shop, key, { spec: { replicas: 2 } });
        await world.settled();
      },
      seeds: schedules(80),
    });
    expect(findings).toEqual([]);
  },
);

it("children that a user keeps by an orphaning deletion aren't reported as orphans", async () => {
  const { findings } = await simulate({
    crds: [shopCrd],
    kstatus: false,
    operator: shopOperator,
    faults: [],
    scenario: async (world) => {
      await world.client.create(shop());
      await world.settled();
      const stored = world.object(Shop, key);
      if (stored) await world.client.delete(stored, { propagationPolicy: "Orphan" });
    },
    seeds: 3,
  });
  expect(findings).toEqual([]);
});
