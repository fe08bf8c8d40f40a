import { expect, it } from "vitest";
import { ConfigMap } from "../api/core/v1.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import { jsonPatch } from "../client/patch.ts";
import { ignoreNotFound, isConflict } from "../errors/predicates.ts";
import type { SimulateOptions } from "./options/options.ts";
import { builtIn } from "./report/verdict.ts";
import { Shop, shop, shopCrd } from "./shop.fixture.ts";
import { type SimulationError, simulate } from "./simulate.ts";

const registry = { namespace: "default", name: "registry" };

/** Returns an operator that adds each shop to a ConfigMap that exists at the start. */
function registered(how: "well" | "ignoring conflicts" | "replacing annotations"): SimulateOptions {
  return {
    crds: [shopCrd],
    objects: [{ apiVersion: "v1", kind: "ConfigMap", metadata: registry } satisfies ConfigMap],
    scenario: async (world) => {
      await world.client.create(shop());
      await world.settled();
    },
    operator: async (mgr) => {
      const { client, apiReader } = mgr;
      await newControllerManagedBy(mgr)
        .for(Shop)
        .complete({
          async reconcile(_ctx, request) {
            const stored = await ignoreNotFound(client.get(Shop, request));
            const config = await apiReader.get(ConfigMap, registry);
            if (!stored || config.data?.[request.name]) return;
            const { annotations = {} } = config.metadata;
            const data = { ...config.data, [request.name]: "registered" };
            if (how === "replacing annotations") {
              const value = { ...annotations, "simulation.test/shop": request.name };
              const operations = [
                { op: "add", path: "/metadata/annotations", value },
                { op: "add", path: "/data", value: data },
              ] as const;
              await client.patch(config, jsonPatch(operations));
              return;
            }
            await client.update({ ...config, data }).catch((error: unknown) => {
              if (how === "well" || !isConflict(error)) throw error;
            });
          },
        });
    },
  };
}

async function invariantOf(options: SimulateOptions): Promise<string> {
  const error = await simulate(options).catch((thrown: unknown) => thrown);
  return (error as SimulationError).finding.invariant;
}

it("simulate compares the objects that exist at the start", async () => {
  expect(await invariantOf(registered("ignoring conflicts"))).toBe(builtIn.convergence);
});

it("another client changes objects that exist at the start", async () => {
  const options = registered("replacing annotations");
  expect(await invariantOf({ ...options, faults: ["conflict"] })).toBe(builtIn.lost);
});

it("an operator that keeps the changes of others in objects that exist at the start causes no finding", async () => {
  const { findings, faults } = await simulate({ ...registered("well"), seeds: 80 });
  expect(findings).toEqual([]);
  expect(faults.conflict).toBeGreaterThan(5);
});
