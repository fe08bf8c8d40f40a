// Children that a user keeps when the owner is deleted. An operator whose cache is older than the deletion can add the owner again. The
// garbage collector then deletes the child, as it deletes all objects whose owners don't exist.
import { expect, it } from "vitest";
import { Deployment } from "../../api/apps/v1.ts";
import { ignoreNotFound } from "../../errors/predicates.ts";
import type { Manager } from "../../manager/manager.ts";
import type { SimulateOptions } from "../options/options.ts";
import { reconcileShops, Shop, schedules, shop, shopCrd, shopOperator, syncDeployment } from "../shop.fixture.ts";
import { SimulationError, simulate } from "../simulate.ts";

const scenarios: Record<string, NonNullable<SimulateOptions["scenario"]>> = {
  "a user orphans the children of a deleted object": async (world) => {
    await world.client.create(shop());
    await world.settled();
    await world.client.delete({ ...shop() }, { propagationPolicy: "Orphan" });
    await world.settled();
  },
  "a user orphans the children, and creates the object again": async (world) => {
    await world.client.create(shop());
    await world.settled();
    await world.client.delete({ ...shop() }, { propagationPolicy: "Orphan" });
    await world.settled();
    await world.client.create(shop("a", 2));
    await world.settled();
  },
};

/** Creates a Deployment for each shop. Before it adopts one, it reads the shop from the server. */
async function carefulOperator(mgr: Manager): Promise<void> {
  await reconcileShops(mgr, Deployment, async (shop) => {
    const { namespace, name, uid } = shop.metadata;
    const existing = await ignoreNotFound(mgr.client.get(Deployment, { namespace, name }));
    if (existing && !existing.metadata.ownerReferences?.length) {
      const owner = await ignoreNotFound(mgr.apiReader.get(Shop, { namespace, name }));
      if (owner?.metadata.uid !== uid || owner.metadata.deletionTimestamp) return;
    }
    await syncDeployment(mgr.client, shop);
  });
}

it.each(Object.entries(scenarios))("an operator that reads the owner first keeps them: %s", async (_, scenario) => {
  const { findings } = await simulate({
    crds: [shopCrd],
    kstatus: false,
    operator: carefulOperator,
    scenario,
    seeds: schedules(80),
  });
  expect(findings).toEqual([]);
});

it("an operator that adopts them for an owner that is gone loses them", async () => {
  const error: unknown = await simulate({
    crds: [shopCrd],
    kstatus: false,
    operator: shopOperator,
    faults: ["stale"],
    scenario: scenarios["a user orphans the children of a deleted object"]!,
    seeds: 400,
  }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SimulationError);
  const { finding } = error as SimulationError;
  expect(finding.invariant).toBe("keeps children that users have orphaned");
  expect(finding.message).toBe(
    "the cluster deleted Deployment default/a, which a user had orphaned, because operator-1 added the deleted owner again; " +
      "hint: before you add an owner to an existing object, read the owner with mgr.apiReader",
  );
  expect(finding.faults).toEqual(["stale"]);
});
