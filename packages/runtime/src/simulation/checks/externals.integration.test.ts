import { afterEach, expect, it } from "vitest";
import { newControllerManagedBy } from "../../builder/builder.ts";
import { ignoreNotFound } from "../../errors/predicates.ts";
import { external } from "../../external/external.ts";
import type { SimulateOptions } from "../options/options.ts";
import { builtIn } from "../report/verdict.ts";
import { Shop, shopCrd, shopScenario } from "../shop.fixture.ts";
import { type SimulationError, simulate } from "../simulate.ts";
import { always } from "./invariant.ts";

const finalizer = "simulation.test/bucket";
const real: string[] = [];
afterEach(() => expect(real.splice(0)).toEqual([]));

/** A cloud that a simulation must never call. */
const buckets = external("buckets", {
  async create(name: string): Promise<string> {
    real.push(name);
    return name;
  },
  async remove(name: string): Promise<void> {
    real.push(name);
  },
});

class FakeBuckets {
  readonly names: Set<string> = new Set();
  async create(name: string): Promise<string> {
    this.names.add(name);
    return name;
  }
  async remove(name: string): Promise<void> {
    this.names.delete(name);
  }
}

function simulation(cleansUpFirst: boolean, fake: object | (() => object)): SimulateOptions {
  return {
    crds: [shopCrd],
    externals: { buckets: fake as never },
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
            if (!deletionTimestamp) {
              if (!finalizers.includes(finalizer)) {
                await client.update({
                  ...shop,
                  metadata: { ...shop.metadata, finalizers: [...finalizers, finalizer] },
                });
              }
              await buckets.create(name);
              return;
            }
            if (!finalizers.includes(finalizer)) return;
            if (cleansUpFirst) await buckets.remove(name);
            const others = finalizers.filter((one) => one !== finalizer);
            await client.update({ ...shop, metadata: { ...shop.metadata, finalizers: others } });
            if (!cleansUpFirst) await buckets.remove(name);
          },
        });
    },
  };
}

it("externals replace declared systems, whose calls are part of the timeline", async () => {
  const calls = { reached: false };
  const { findings } = await simulate({
    ...simulation(true, () => new FakeBuckets()),
    invariants: [
      always("the replacement is called", ({ externals }) => {
        calls.reached ||= (externals.buckets as FakeBuckets).names.size > 0;
        return true;
      }),
    ],
    seeds: 10,
  });
  expect(findings).toEqual([]);
  expect(calls.reached).toBe(true);
});

it("externals begin each schedule in their initial state, and their remains are found", async () => {
  const fake = new FakeBuckets();
  const error = await simulate({ ...simulation(false, fake), faults: ["crash"] }).catch((thrown: unknown) => thrown);
  expect(fake.names.size).toBe(0);
  const { invariant, timeline } = (error as SimulationError).finding;
  expect(invariant).toBe(builtIn.convergence);
  expect(timeline).toContainEqual(
    expect.objectContaining({ action: "external", object: expect.stringMatching(/^buckets\.create\("/) }),
  );
});

it("externals report a function that a replacement doesn't have", async () => {
  const error = await simulate({ ...simulation(true, {}), seeds: 1 }).catch((thrown: unknown) => thrown);
  expect((error as SimulationError).finding.message).toContain("externals: the system buckets has no function create");
});
