// Lets somebody remove labels and finalizers from objects.
import { expect, it } from "vitest";
import { Deployment } from "../../api/apps/v1.ts";
import { ConfigMap, Pod, Secret } from "../../api/core/v1.ts";
import { newControllerManagedBy } from "../../builder/builder.ts";
import type { Client, Stored } from "../../client/client.ts";
import { createOrUpdate } from "../../controllerutil/create-or-update.ts";
import { setControllerReference } from "../../controllerutil/owner-references.ts";
import { ignoreAlreadyExists, ignoreNotFound } from "../../errors/predicates.ts";
import { always } from "../checks/invariant.ts";
import type { SimulateOptions } from "../options/options.ts";
import type { FaultName } from "../schedule/fault-names.ts";
import { reconcileShops, Shop, schedules, shop, shopCrd, shopScenario } from "../shop.fixture.ts";
import { type SimulationError, simulate } from "../simulate.ts";
import type { World } from "../world/world.ts";

const label = "simulation.test/shop";
const finalizer = "simulation.test/archive";

function child(owner: Stored<Shop>): ConfigMap {
  const { name } = owner.metadata;
  const object: ConfigMap = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "default", name, labels: { [label]: name } },
    data: { "shop.conf": String(owner.spec.replicas) },
  };
  setControllerReference(owner, object);
  return object;
}

type Reconcile = (owner: Stored<Shop>, client: Client) => Promise<unknown>;

/** Restores the data and the label of its child. */
function restore(updateLabel: (client: Client, object: Stored<ConfigMap>) => Promise<unknown>): Reconcile {
  return async (owner, client) => {
    const wanted = child(owner);
    const configMap = await ignoreNotFound(client.get(ConfigMap, owner.metadata));
    if (!configMap) return client.create(wanted);
    const { labels, ownerReferences } = wanted.metadata ?? {};
    const next = { ...configMap, data: wanted.data, metadata: { ...configMap.metadata, labels, ownerReferences } };
    if (configMap.data?.["shop.conf"] !== wanted.data?.["shop.conf"]) return client.update(next as Stored<ConfigMap>);
    const isOwned = configMap.metadata.ownerReferences?.[0]?.uid === owner.metadata.uid;
    if (!isOwned || configMap.metadata.labels?.[label] === undefined)
      await updateLabel(client, next as Stored<ConfigMap>);
  };
}

const restoring = restore((client, object) => client.update(object));

/** Finds its child by its label. */
const selecting: Reconcile = async (owner, client) => {
  const { items } = await client.list(ConfigMap, { labels: { [label]: owner.metadata.name } });
  const [item] = items;
  if (!item) return ignoreAlreadyExists(client.create(child(owner)));
  if (item.metadata.ownerReferences?.[0]?.uid !== owner.metadata.uid) throw new Error("the old child still exists");
  if (item.data?.["shop.conf"] === String(owner.spec.replicas)) return;
  return client.update({ ...item, data: { "shop.conf": String(owner.spec.replicas) } });
};

/** Options with an invariant that calls a function after each write. */
function simulation(reconcile: Reconcile, afterWrite: (world: World) => void = () => {}): SimulateOptions {
  return {
    crds: [shopCrd],
    scenario: shopScenario,
    invariants: [always("watches", (world) => void afterWrite(world))],
    operator: async (mgr) => {
      await newControllerManagedBy(mgr)
        .for(Shop)
        .owns(ConfigMap)
        .complete({
          async reconcile(_ctx, request) {
            const shop = await ignoreNotFound(mgr.client.get(Shop, request));
            if (shop) await reconcile(shop, mgr.client);
          },
        });
    },
  };
}

/** Runs schedules. Returns how often something was missing in them, without the runs that find out what may be removed. */
async function missing(
  reconcile: Reconcile,
  isMissing: (world: World) => boolean,
  options: Partial<SimulateOptions> = {},
): Promise<number> {
  const counts: number[] = [];
  for (const seeds of [0, 80]) {
    let count = 0;
    const simulated = simulation(reconcile, (world) => {
      if (isMissing(world)) count++;
    });
    const { findings } = await simulate({ ...simulated, faults: ["hands", "recreate"], ...options, seeds });
    expect(findings).toEqual([]);
    counts.push(count);
  }
  const [before = 0, all = 0] = counts;
  return all - before;
}

const lacksLabel = (world: World): boolean => world.list(ConfigMap).some(({ metadata }) => !metadata.labels?.[label]);

it("the hands fault removes labels that the operator restores", async () => {
  expect(await missing(restoring, lacksLabel)).toBeGreaterThan(5);
});

it("the hands fault doesn't remove the label by which the operator finds its children", async () => {
  expect(await missing(selecting, lacksLabel)).toBe(0);
});

it("a label that isn't restored after an error causes a finding", async () => {
  const swallowing = restore((client, object) => client.update(object).catch(() => {}));
  const faults: FaultName[] = ["hands", "errors"];
  const error = await simulate({ ...simulation(swallowing), faults, seeds: 500 }).catch((thrown: unknown) => thrown);
  const { invariant, message, timeline } = (error as SimulationError).finding;
  expect(invariant).toBe("converges to the state of the run without faults");
  expect(message).toContain(label);
  const injected = timeline.filter(({ action }) => action === "fault hands").map(({ detail }) => detail);
  expect(injected).toEqual([`somebody removes the label ${label}`]);
});

it("the hands fault removes labels that the operator sets on objects of users, but not those of users", async () => {
  const labels = { team: "blue" };
  const scenario: SimulateOptions["scenario"] = async (world) => {
    const initial = shop();
    await world.client.create({ ...initial, metadata: { ...initial.metadata, labels } });
    await world.settled();
    await world.client.delete(Shop, initial.metadata as { name: string });
  };
  const marking: Reconcile = async (owner, client) => {
    if (owner.metadata.labels?.[label] || owner.metadata.deletionTimestamp) return;
    await client.update({
      ...owner,
      metadata: { ...owner.metadata, labels: { ...owner.metadata.labels, [label]: "" } },
    });
  };
  let had = new Set<string>();
  const external = (): object => {
    had = new Set();
    return {};
  };
  const lost = (world: World): boolean => {
    const [names = []] = world.list(Shop).map(({ metadata }) => Object.keys(metadata.labels ?? {}));
    expect(world.list(Shop).every(({ metadata }) => metadata.labels?.team === "blue")).toBe(true);
    const isLost = world.list(Shop).length > 0 && had.has(label) && !names.includes(label);
    for (const name of names) had.add(name);
    return isLost;
  };
  expect(await missing(marking, lost, { scenario, external, faults: ["hands"] })).toBeGreaterThan(5);
});

it("the hands fault removes finalizers of children, and nothing else is deleted until they are restored", async () => {
  const archived = new Set<string>();
  /** Archives the child before it is gone. */
  const protecting: Reconcile = async (owner, client) => {
    const configMap = await ignoreNotFound(client.get(ConfigMap, owner.metadata));
    if (configMap?.metadata.deletionTimestamp) {
      archived.add(configMap.metadata.uid);
      if (configMap.metadata.finalizers)
        await client.update({ ...configMap, metadata: { ...configMap.metadata, finalizers: [] } });
      return;
    }
    if (owner.metadata.deletionTimestamp) {
      if (configMap) await client.delete(configMap);
      else await client.update({ ...owner, metadata: { ...owner.metadata, finalizers: [] } });
      return;
    }
    if (!owner.metadata.finalizers)
      await client.update({ ...owner, metadata: { ...owner.metadata, finalizers: [finalizer] } });
    const wanted = child(owner);
    if (!configMap) return client.create({ ...wanted, metadata: { ...wanted.metadata, finalizers: [finalizer] } });
    if (!configMap.metadata.finalizers)
      await client.update({ ...configMap, metadata: { ...configMap.metadata, finalizers: [finalizer] } });
    if (configMap.data?.["shop.conf"] !== wanted.data?.["shop.conf"])
      await client.update({ ...configMap, data: wanted.data });
  };
  let before: string[] = [];
  const lost = (world: World): boolean => {
    const uids = world.list(ConfigMap).map(({ metadata }) => metadata.uid);
    const isLost = before.some((uid) => !uids.includes(uid) && !archived.has(uid));
    before = uids;
    if (isLost) throw new Error("a child is gone that wasn't archived");
    return world.list(ConfigMap).some(({ metadata }) => !metadata.finalizers);
  };
  const external = (): object => {
    before = [];
    return {};
  };
  expect(await missing(protecting, lost, { external })).toBeGreaterThan(2);
});

it("the hands fault edits the data of Secrets", async () => {
  const edited = new Set<string>();
  const { findings } = await simulate({
    crds: [shopCrd],
    scenario: shopScenario,
    faults: ["hands"],
    seeds: 40,
    invariants: [
      always("collects values", (world) => {
        for (const { data } of world.list(Secret)) edited.add(Buffer.from(data?.replicas ?? "", "base64").toString());
      }),
    ],
    operator: async (mgr) => {
      await newControllerManagedBy(mgr)
        .for(Shop)
        .owns(Secret)
        .complete({
          async reconcile(_ctx, request) {
            const owner = await ignoreNotFound(mgr.client.get(Shop, request));
            if (!owner || owner.metadata.deletionTimestamp) return;
            const secret: Secret = { apiVersion: "v1", kind: "Secret", metadata: { ...request } };
            await createOrUpdate(mgr.client, secret, (current) => {
              setControllerReference(owner, current);
              current.data = { replicas: Buffer.from(String(owner.spec.replicas)).toString("base64") };
            });
          },
        });
    },
  });
  expect(findings).toEqual([]);
  expect([...edited]).toEqual(expect.arrayContaining(["1", "3", "3-edited"]));
});

/** Simulates an operator whose shops have a Deployment. */
async function simulateImages(isWritten: (owner: Stored<Shop>) => boolean): Promise<void> {
  await simulate({
    crds: [shopCrd],
    scenario: shopScenario,
    faults: ["hands"],
    seeds: 60,
    operator: async (mgr) => {
      const { client } = mgr;
      await reconcileShops(mgr, Deployment, async (owner, request) => {
        const image = `shop:${owner.spec.replicas}`;
        const labels = { shop: request.name };
        const template = { metadata: { labels }, spec: { containers: [{ name: "shop", image }] } };
        const spec = { selector: { matchLabels: labels }, template };
        const deployment: Deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { ...request }, spec };
        await createOrUpdate(client, deployment, (current) => {
          setControllerReference(owner, current);
          const [container] = current.spec.template.spec?.containers ?? [];
          if (container && isWritten(owner)) container.image = image;
        });
        if (owner.status?.ready === owner.spec.replicas) return;
        await client.status.update({ ...owner, status: { ready: owner.spec.replicas as number } });
      });
    },
  });
}

it("the hands fault edits the images of containers", async () => {
  await simulateImages(() => true);
  const error = await simulateImages((owner) => owner.status?.ready !== owner.spec.replicas).catch(
    (thrown: unknown) => thrown,
  );
  const { message, timeline } = (error as SimulationError).finding;
  expect(message).toContain('containers[0].image: "shop:1" → "shop:1-edited"');
  const injected = timeline.filter(({ action }) => action === "fault hands").map(({ detail }) => detail);
  expect(injected).toEqual(['somebody sets spec.template.spec.containers[shop].image to "shop:1-edited"']);
});

it("the hands fault deletes Pods only if a scenario asks for it", async () => {
  const operator: SimulateOptions["operator"] = async (mgr) => {
    await newControllerManagedBy(mgr)
      .for(Shop)
      .complete({
        async reconcile(_ctx, request) {
          const owner = await ignoreNotFound(mgr.client.get(Shop, request));
          if (!owner || owner.status?.ready || owner.metadata.deletionTimestamp) return;
          const containers = [{ name: "shop", image: "shop" }];
          const pod: Pod = { apiVersion: "v1", kind: "Pod", metadata: { ...request }, spec: { containers } };
          setControllerReference(owner, pod);
          await ignoreAlreadyExists(mgr.client.create(pod));
          await mgr.client.status.update({ ...owner, status: { ready: 1 } });
        },
      });
  };
  const faults: FaultName[] = ["hands"];
  await simulate({ crds: [shopCrd], scenario: shopScenario, operator, faults, seeds: schedules(60) });
  const scenario: SimulateOptions["scenario"] = async (world) => {
    await world.client.create(shop());
    await world.settled();
    await world.fault("hands", { kind: Pod });
    await world.settled();
  };
  await expect(simulate({ crds: [shopCrd], scenario, operator, faults, seeds: 1 })).rejects.toThrow(
    "unlike without faults: Pod default/a doesn't exist",
  );
});

/** Sets a label that depends on the shop, and restores it or not. */
const sizing =
  (isRestoring: boolean): Reconcile =>
  async (owner, client) => {
    if (owner.metadata.deletionTimestamp) return;
    const wanted = child(owner);
    const labels = { ...wanted.metadata?.labels, size: `size-${owner.spec.replicas}` };
    wanted.metadata = { ...wanted.metadata, labels };
    const configMap = await ignoreNotFound(client.get(ConfigMap, owner.metadata));
    if (!configMap) return client.create(wanted);
    const isOwned = configMap.metadata.ownerReferences?.[0]?.uid === owner.metadata.uid;
    const isSame = isOwned && configMap.data?.["shop.conf"] === wanted.data?.["shop.conf"];
    if (isSame && (!isRestoring || configMap.metadata.labels?.size === labels.size)) return;
    const { ownerReferences } = wanted.metadata;
    const metadata = { ...configMap.metadata, ownerReferences, labels: { ...configMap.metadata.labels, ...labels } };
    return client.update({ ...configMap, data: wanted.data, metadata });
  };

it("the hands fault edits and removes labels that the operator maintains", async () => {
  const seen = new Set<string>();
  const simulated = simulation(sizing(true), (world) => {
    for (const { metadata } of world.list(ConfigMap)) seen.add(String(metadata.labels?.size));
  });
  const { findings } = await simulate({ ...simulated, faults: ["hands"], seeds: schedules(120) });
  expect(findings).toEqual([]);
  expect(seen).toContain("undefined");
  expect([...seen].some((value) => value.endsWith("-edited"))).toBe(true);
});

it("a maintained label that isn't restored causes a finding", async () => {
  const error = await simulate({ ...simulation(sizing(false)), faults: ["hands"], seeds: 200 }).catch(
    (thrown) => thrown,
  );
  expect((error as SimulationError).finding.message).toContain("metadata.labels.size");
});
