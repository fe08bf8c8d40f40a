import { expect, it } from "vitest";
import { fullTest } from "../../../../../scripts/test-support/full-test.ts";
import { newControllerManagedBy } from "../../builder/builder.ts";
import { ignoreNotFound } from "../../errors/predicates.ts";
import type { SimulateOptions } from "../options/options.ts";
import { builtIn } from "../report/verdict.ts";
import { Shop, schedules, shopCrd, shopScenario } from "../shop.fixture.ts";
import { type SimulationError, simulate } from "../simulate.ts";
import { eventually } from "./invariant.ts";

const finalizer = "simulation.test/bucket";

/** Returns an operator without invariants, which removes its finalizer before or after the bucket. */
function buckets(cleansUpFirst: boolean): SimulateOptions {
  const cloud = {
    buckets: new Map<string, string>(),
    calls: [] as string[],
    async create(name: string) {
      cloud.calls.push(name);
      cloud.buckets.set(name, name);
    },
    async remove(name: string) {
      cloud.calls.push(name);
      cloud.buckets.delete(name);
    },
  };
  return {
    crds: [shopCrd],
    external: cloud,
    scenario: shopScenario,
    operator: async (mgr) => {
      const { client } = mgr;
      await newControllerManagedBy(mgr)
        .for(Shop)
        .complete({
          async reconcile(_ctx, request) {
            const shop = await ignoreNotFound(client.get(Shop, request));
            if (!shop) return;
            const { name, finalizers = [], deletionTimestamp } = shop.metadata;
            const update = (wanted: string[]) =>
              client.update({ ...shop, metadata: { ...shop.metadata, finalizers: wanted } });
            if (!deletionTimestamp) {
              if (!finalizers.includes(finalizer)) await update([...finalizers, finalizer]);
              await cloud.create(name);
              return;
            }
            if (!finalizers.includes(finalizer)) return;
            if (cleansUpFirst) await cloud.remove(name);
            await update(finalizers.filter((one) => one !== finalizer));
            if (!cleansUpFirst) await cloud.remove(name);
          },
        });
    },
  };
}

it("simulate finds an item that remains in a collection of the external system", async () => {
  const error = await simulate({ ...buckets(false), faults: ["crash"] }).catch((thrown: unknown) => thrown);
  const { invariant, message } = (error as SimulationError).finding;
  expect(invariant).toBe(builtIn.convergence);
  expect(message).toContain("external buckets items: 0 → 1");
});

fullTest("simulate doesn't compare a log of the external system, whose length depends on the attempts", async () => {
  const { findings, faults } = await simulate({ ...buckets(true), seeds: schedules(60) });
  expect(findings).toEqual([]);
  expect(faults.crash).toBeGreaterThan(0);
});

it("rules read the external system without a trace, also when the process has ended", async () => {
  const cloud = { ...buckets(true).external, isSmall: () => true, isEmpty: () => false };
  const results: unknown[] = [];
  const error = await simulate({
    ...buckets(true),
    external: cloud,
    faults: ["crash"],
    invariants: [
      eventually("the cloud is small", ({ external }) => results.push(external.isSmall()) > 0),
      eventually("the cloud is empty", ({ external }) => results.length < 20 || external.isEmpty()),
    ],
  }).catch((thrown: unknown) => thrown);
  const { invariant, timeline } = (error as SimulationError).finding;
  expect(invariant).toBe("the cloud is empty");
  expect(new Set(results)).toEqual(new Set([true]));
  expect(timeline.filter(({ object }) => object.startsWith("is"))).toEqual([]);
});
