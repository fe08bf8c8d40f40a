import { expect, it } from "vitest";
import type { ConfigMap } from "../../api/core/v1.ts";
import type { KubernetesObject } from "../../api/index.ts";
import { newControllerManagedBy } from "../../builder/builder.ts";
import type { Client, Stored } from "../../client/client.ts";
import { setControllerReference } from "../../controllerutil/owner-references.ts";
import { ignoreAlreadyExists, ignoreNotFound } from "../../errors/predicates.ts";
import type { SimulateOptions } from "../options/options.ts";
import { builtIn } from "../report/verdict.ts";
import { key, Shop, shop, shopCrd } from "../shop.fixture.ts";
import { type SimulationError, simulate } from "../simulate.ts";

function simulation(reconcile: (owner: Stored<Shop>, client: Client) => Promise<unknown>): SimulateOptions {
  return {
    crds: [shopCrd],
    scenario: async (world) => {
      await world.client.create({ ...shop(), spec: {} });
      await world.settled();
      await world.client.delete(Shop, key);
    },
    operator: async (mgr) => {
      await newControllerManagedBy(mgr)
        .for(Shop)
        .complete({
          async reconcile(_ctx, request) {
            const owner = await ignoreNotFound(mgr.client.get(Shop, request));
            if (owner && !owner.metadata.deletionTimestamp) await reconcile(owner, mgr.client);
          },
        });
    },
  };
}

async function messageOf(options: SimulateOptions): Promise<string> {
  const error = await simulate(options).catch((thrown: unknown) => thrown);
  const { invariant, message } = (error as SimulationError).finding;
  expect(invariant).toBe(builtIn.failures);
  return message;
}

/** Creates the child of a shop on each reconcile. */
async function createChild(owner: Stored<Shop>, client: Client): Promise<KubernetesObject> {
  const child: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { ...key } };
  setControllerReference(owner, child);
  return client.create(child);
}

it("simulate finds a reconcile that can't handle an object", async () => {
  const options = simulation(async ({ spec }) => spec.name?.length ?? (spec.name as unknown as string).length);
  expect(await messageOf(options)).toMatch(/^the reconcile of shop default\/a still fails: Cannot read properties/);
});

it("simulate finds a reconcile that always fails after a fault", async () => {
  const created = new Set<string>();
  const options = simulation(async (owner, client) => {
    if (created.has(owner.metadata.uid)) return;
    await createChild(owner, client);
    created.add(owner.metadata.uid);
  });
  expect(await messageOf({ ...options, faults: ["lost"] })).toContain("already exists");
});

it.each([
  ["a reconcile that rejects an object also without faults", () => Promise.reject(new Error("spec.name is required"))],
  [
    "a reconcile that succeeds at last",
    (owner: Stored<Shop>, client: Client) => ignoreAlreadyExists(createChild(owner, client)),
  ],
])("simulate accepts %s", async (_name, reconcile) => {
  const { findings } = await simulate({ ...simulation(reconcile), faults: ["lost", "crash"], seeds: 8 });
  expect(findings).toEqual([]);
});
