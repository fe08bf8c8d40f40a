// Settled states of correct operators that differ from those without faults, or in which something still waits.
import { expect, it } from "vitest";
import { fullTest } from "../../../../../scripts/test-support/full-test.ts";
import { DaemonSet } from "../../api/apps/v1.ts";
import { ConfigMap } from "../../api/core/v1.ts";
import type { KubernetesObject } from "../../api/index.ts";
import { groupVersion, type Kind } from "../../api/kind.ts";
import type { Condition } from "../../api/meta/v1.ts";
import { newControllerManagedBy } from "../../builder/builder.ts";
import { setStatusCondition } from "../../controllerutil/conditions.ts";
import { createOrUpdate } from "../../controllerutil/create-or-update.ts";
import { setControllerReference } from "../../controllerutil/owner-references.ts";
import { patchStatus } from "../../controllerutil/patch-status.ts";
import { ignoreNotFound } from "../../errors/predicates.ts";
import { enqueueRequestsFromMapFunc } from "../../handler/map-func.ts";
import type { Manager } from "../../manager/manager.ts";
import type { SimulateOptions } from "../options/options.ts";
import { key, reconcileShops, Shop, schedules, shop, shopCrd, shopOperator, shopScenario } from "../shop.fixture.ts";
import { type SimulationError, simulate } from "../simulate.ts";
import type { World } from "../world/world.ts";
import { eventually } from "./invariant.ts";

async function findingsOf(options: Omit<SimulateOptions, "crds">): Promise<unknown> {
  return (await simulate({ crds: [shopCrd, orderCrd], kstatus: false, ...options })).findings;
}

interface Order extends KubernetesObject {
  spec: { shop: string };
}

const Order: Kind<Order> = groupVersion("simulation.test", "v1").kind<Order>("Order");
const orderKey = { namespace: "default", name: "first" };
const orderCrd: object = JSON.parse(JSON.stringify(shopCrd).replaceAll("shop", "order").replaceAll("Shop", "Order"));

const inUse = "simulation.test/in-use";

/** Keeps a shop as long as there are orders. */
async function protectingOperator(mgr: Manager): Promise<void> {
  await newControllerManagedBy(mgr)
    .for(Shop)
    .watches(
      Order,
      enqueueRequestsFromMapFunc(() => [key]),
    )
    .complete({
      async reconcile(_ctx, request) {
        const shop = await ignoreNotFound(mgr.apiReader.get(Shop, request));
        if (!shop) return;
        const { items } = await mgr.apiReader.list(Order, { namespace: "default" });
        const { deletionTimestamp, finalizers = [] } = shop.metadata;
        const wanted = deletionTimestamp && items.length === 0 ? [] : [inUse];
        if (wanted.length === finalizers.length || (deletionTimestamp && finalizers.length === 0)) return;
        await mgr.client.update({ ...shop, metadata: { ...shop.metadata, finalizers: wanted } });
      },
    });
}

/** Creates a shop and an order of it, and deletes the shop. */
async function deleteInUse({ client, settled }: World): Promise<void> {
  await client.create(shop());
  const order: Order = {
    apiVersion: "simulation.test/v1",
    kind: "Order",
    metadata: { ...orderKey },
    spec: { shop: "a" },
  };
  await client.create(order);
  await settled();
  await client.delete(Shop, key);
}

fullTest("a finalizer may protect an object until others that use it are gone", async () => {
  const findings = await findingsOf({
    operator: protectingOperator,
    seeds: schedules(100),
    scenario: async (world) => {
      await deleteInUse(world);
      await world.settled();
      await world.client.delete(Order, orderKey);
    },
    invariants: [
      eventually("an order has its shop", (world) => world.list(Order).length === 0 || world.list(Shop).length === 1),
    ],
  });
  expect(findings).toEqual([]);
});

it("a finalizer that remains at the end is a finding", async () => {
  await expect(findingsOf({ operator: protectingOperator, seeds: 1, scenario: deleteInUse })).rejects.toThrow(
    `finalizers complete: Shop default/a is still being deleted, it has the finalizer ${inUse}`,
  );
});

it("controllers may add their conditions in any order", async () => {
  const addCondition = async (mgr: Manager, type: string): Promise<void> => {
    await newControllerManagedBy(mgr)
      .for(Shop)
      .named(type.toLowerCase())
      .complete({
        async reconcile(_ctx, request) {
          const shop = await ignoreNotFound(mgr.client.get(Shop, request));
          if (!shop || shop.metadata.deletionTimestamp) return;
          const observedGeneration = shop.metadata.generation as number;
          const condition = { type, status: "True", reason: "Done", message: "", observedGeneration } as const;
          await patchStatus(mgr.client, shop, (copy) => {
            const { conditions = [] } = (copy.status ?? {}) as { conditions?: Condition[] };
            setStatusCondition(conditions, condition);
            copy.status = { ...copy.status, conditions } as Shop["status"];
          });
        },
      });
  };
  const operator = async (mgr: Manager): Promise<void> => {
    await addCondition(mgr, "Network");
    await addCondition(mgr, "Storage");
  };
  expect(await findingsOf({ operator, scenario: shopScenario, seeds: schedules(60) })).toEqual([]);
});

it("reads that bypass the cache are part of the timeline", async () => {
  const error = await findingsOf({
    operator: protectingOperator,
    seeds: 1,
    scenario: async (world) => void (await world.client.create(shop())),
    invariants: [eventually("fails", () => false)],
  }).catch((thrown: unknown) => thrown);
  const { timeline } = (error as SimulationError).finding;
  const reads = timeline.filter(({ actor, action }) => actor === "operator-1" && ["read", "list"].includes(action));
  expect(reads.map(({ object }) => object)).toEqual(expect.arrayContaining(["Shop default/a", "Order"]));
});

fullTest("the template generation of a DaemonSet that somebody has edited is ignored", async () => {
  const operator = async (mgr: Manager): Promise<void> => {
    await reconcileShops(mgr, DaemonSet, async (shop, request) => {
      const image = `shop:${shop.spec.replicas}`;
      const labels = { shop: request.name };
      const template = { metadata: { labels }, spec: { containers: [{ name: "shop", image }] } };
      const spec = { selector: { matchLabels: labels }, template };
      const set: DaemonSet = { apiVersion: "apps/v1", kind: "DaemonSet", metadata: { ...request }, spec };
      await createOrUpdate(mgr.client, set, (object) => {
        setControllerReference(shop, object);
        for (const container of object.spec.template.spec?.containers ?? []) container.image = image;
      });
    });
  };
  expect(await findingsOf({ operator, scenario: shopScenario, faults: ["hands"], seeds: schedules(60) })).toEqual([]);
});

/** Replaces its child if the replicas change, and keeps the color that a user has set, by way of the status. */
async function replacingOperator(mgr: Manager): Promise<void> {
  const { client, apiReader } = mgr;
  await newControllerManagedBy(mgr)
    .for(Shop)
    .owns(ConfigMap)
    .complete({
      async reconcile(_ctx, request) {
        const shop = await ignoreNotFound(apiReader.get(Shop, request));
        if (!shop || shop.metadata.deletionTimestamp) return;
        const size = String(shop.spec.replicas);
        const child = await ignoreNotFound(apiReader.get(ConfigMap, request));
        if (!child) {
          const data = { size, color: shop.status?.bucket ?? "red" };
          const next: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { ...request }, data };
          setControllerReference(shop, next);
          await client.create(next);
          return;
        }
        const { uid, resourceVersion, ownerReferences } = child.metadata;
        if (ownerReferences?.[0]?.uid !== shop.metadata.uid) throw new Error("the former child still exists");
        const color = child.data?.color as string;
        if (shop.status?.bucket !== color) await client.status.update({ ...shop, status: { bucket: color } });
        if (child.data?.size === size) return;
        await client.delete(child, { preconditions: { uid, resourceVersion } });
      },
    });
}

fullTest("an operator may replace a child and keep what a user has changed in it", async () => {
  let isChanged = false;
  const findings = await findingsOf({
    operator: replacingOperator,
    faults: ["recreate"],
    seeds: schedules(150),
    scenario: async (world) => {
      isChanged = false;
      await world.client.create(shop());
      await world.settled();
      await world.client.patch(ConfigMap, key, { data: { color: "blue" } });
      isChanged = true;
      await world.settled();
      await world.client.patch(Shop, key, { spec: { replicas: 3 } });
      await world.settled();
      isChanged = false;
      await world.client.delete(Shop, key);
    },
    invariants: [
      eventually("the color stays", (world) => !isChanged || world.object(ConfigMap, key)?.data?.color === "blue"),
    ],
  });
  expect(findings).toEqual([]);
});

fullTest("a schedule may wait for days", async () => {
  const scenario: SimulateOptions["scenario"] = async (world) => {
    await world.client.create(shop());
    await world.advance(72 * 3_600_000);
  };
  expect(await findingsOf({ operator: shopOperator, scenario, faults: [], seeds: 1 })).toEqual([]);
});

it("a broken rule of the user is reported rather than the difference that comes with it", async () => {
  const error = await findingsOf({
    operator: async (mgr) => {
      await reconcileShops(mgr, ConfigMap, async (stored, request) => {
        if (stored.status?.bucket) return;
        await mgr.client.status.update({ ...stored, status: { bucket: "created" } });
        await mgr.client.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { ...request } } as ConfigMap);
      });
    },
    scenario: async (world) => {
      await world.client.create(shop());
      await world.settled();
    },
    faults: ["crash"],
    seeds: 200,
    invariants: [eventually("a shop has its ConfigMap", (world) => world.object(ConfigMap, key) !== undefined)],
  }).catch((thrown: unknown) => thrown);
  expect((error as SimulationError).finding.invariant).toBe("a shop has its ConfigMap");
});
