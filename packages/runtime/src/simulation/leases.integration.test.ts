// Simulates operators that use Leases of their own.
import { expect, it } from "vitest";
import { Lease } from "../api/coordination/v1.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import type { Manager } from "../manager/manager.ts";
import { always } from "./checks/invariant.ts";
import type { SimulateOptions } from "./options/options.ts";
import { Shop, shop, shopCrd } from "./shop.fixture.ts";
import { simulate } from "./simulate.ts";

const lock = { namespace: "default", name: "lock" };

function locking(work: (mgr: Manager) => Promise<void>): SimulateOptions {
  return {
    crds: [shopCrd],
    objects: [{ apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: lock }],
    scenario: async (world) => {
      await world.client.create(shop());
      await world.settled();
    },
    operator: async (mgr) => {
      await newControllerManagedBy(mgr)
        .for(Shop)
        .complete({ reconcile: () => work(mgr) });
    },
  };
}

/** Takes the lock, and releases it. */
async function lockAndUnlock({ client, apiReader }: Manager): Promise<void> {
  for (const holderIdentity of ["worker", ""]) {
    const lease = await apiReader.get(Lease, lock);
    await client.update({ ...lease, spec: { holderIdentity } });
  }
}

it("an `always` rule about a Lease is checked after each of its writes", async () => {
  const rule = always("the lock stays free", (world) => !world.object(Lease, lock)?.spec?.holderIdentity);
  const options = { ...locking(lockAndUnlock), invariants: [rule], seeds: 1 };
  await expect(simulate(options)).rejects.toThrow("the lock stays free");
});

it("a Lease of the operator has conflicts", async () => {
  const { faults } = await simulate({ ...locking(lockAndUnlock), faults: ["conflict"], seeds: 40 });
  expect(faults.conflict).toBeGreaterThan(0);
});
