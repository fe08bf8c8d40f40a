// Mistakes of operators whose replicas share the objects: simulations with rescaling find each of them.
import { describe, expect, it } from "vitest";
import { ConfigMap } from "../api/core/v1.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import { createOrUpdate } from "../controllerutil/create-or-update.ts";
import { setControllerReference } from "../controllerutil/owner-references.ts";
import { ignoreNotFound } from "../errors/predicates.ts";
import { enqueueRequestsFromMapFunc } from "../handler/map-func.ts";
import type { Manager } from "../manager/manager.ts";
import { eventually } from "./checks/invariant.ts";
import type { SimulateOptions } from "./options/options.ts";
import { operator, sharedShops } from "./shards.fixture.ts";
import { reconcileShops, Shop, shop } from "./shop.fixture.ts";
import { SimulationError, simulate } from "./simulate.ts";

/** Returns the rule of the first finding and its message. */
async function finding(options: Partial<SimulateOptions>, seeds = 40): Promise<string | undefined> {
  try {
    await simulate({ ...sharedShops, faults: ["rescale", "crash", "time"], seeds, ...options });
    return undefined;
  } catch (error) {
    if (!(error instanceof SimulationError)) throw error;
    return error.message.split("\n")[0];
  }
}

/** Writes the number of replicas of a shop to a ConfigMap. */
async function writeConfig(mgr: Manager, owner: Shop, replicas = owner.spec.replicas): Promise<void> {
  const { namespace, name } = owner.metadata ?? {};
  const config: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name: name ?? "" } };
  await createOrUpdate(mgr.client, config, (object) => {
    setControllerReference(owner as never, object);
    object.data = { replicas: String(replicas) };
  });
}

describe("simulations of shards find", () => {
  it("a write outside of the own ranges: each replica writes its share of the objects to one ConfigMap", async () => {
    const summary = async (mgr: Manager): Promise<void> => {
      await reconcileShops(mgr, ConfigMap, async (owner) => {
        await writeConfig(mgr, owner);
        const { items } = await mgr.client.list(Shop, { sharded: true });
        const metadata = { namespace: "default", name: "summary" };
        await createOrUpdate(mgr.client, { apiVersion: "v1", kind: "ConfigMap", metadata } as ConfigMap, (object) => {
          object.data = { shops: String(items.length) };
        });
      });
    };
    const found = await finding({ operator: summary });
    expect(found).toMatch(/^a reconcile of a settled world writes nothing: .* ConfigMap default\/summary/);
  });

  it("a handler that maps the events of divided objects to objects of other replicas", async () => {
    const mapping = async (mgr: Manager): Promise<void> => {
      await newControllerManagedBy(mgr)
        .for(Shop)
        .watches(
          ConfigMap,
          enqueueRequestsFromMapFunc((_ctx, config) => [
            { namespace: config.metadata?.labels?.of ?? "blue", name: "a" },
          ]),
          { sharded: true },
        )
        .complete({
          async reconcile(_ctx, request) {
            const owner = await ignoreNotFound(mgr.client.get(Shop, request));
            if (!owner || owner.metadata.deletionTimestamp) return;
            const source = await ignoreNotFound(mgr.client.get(ConfigMap, { namespace: "red", name: "settings" }));
            await writeConfig(mgr, owner, Number(source?.data?.replicas ?? 0));
          },
        });
    };
    const scenario: SimulateOptions["scenario"] = async (world) => {
      await sharedShops.scenario?.(world);
      const metadata = { namespace: "red", name: "settings", labels: { of: "blue" } };
      await world.client.create({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata,
        data: { replicas: "7" },
      } as ConfigMap);
      await world.settled();
    };
    const found = await finding({ operator: mapping, scenario });
    expect(found).toMatch(/^a reconcile of a settled world writes nothing: .* ConfigMap blue\/a/);
  });

  it("a timer that outlives the ownership", async () => {
    const timed = async (mgr: Manager): Promise<void> => {
      const timers = new Map<string, NodeJS.Timeout>();
      await reconcileShops(mgr, ConfigMap, async (owner) => {
        await writeConfig(mgr, owner);
        const name = `${owner.metadata.namespace}/${owner.metadata.name}`;
        // The next reconcile replaces the timer, unless it is that of another replica.
        clearInterval(timers.get(name));
        timers.set(
          name,
          setInterval(() => void writeConfig(mgr, owner).catch(() => undefined), 20_000),
        );
      });
    };
    // Without deletions, which the timers don't notice either.
    const scenario: SimulateOptions["scenario"] = async (world) => {
      for (const [replicas, namespace] of ["blue", "green", "orange", "red"].entries()) {
        const { metadata, ...rest } = shop("a", replicas + 2);
        await world.client.create({ ...rest, metadata: { ...metadata, namespace } });
      }
      await world.settled();
      for (const namespace of ["blue", "green", "orange", "red"]) {
        await world.client.patch(Shop, { namespace, name: "a" }, { spec: { replicas: 9 } });
      }
      await world.settled();
    };
    const found = await finding({ operator: timed, faults: ["rescale"], scenario });
    expect(found).toMatch(/^writes a bounded number of times: /);
  });

  it("calls of an external system that a suspended replica sends too late", async () => {
    const cloud = {
      replicas: new Map<string, number | undefined>(),
      async set(name: string, replicas: number | undefined) {
        cloud.replicas.set(name, replicas);
      },
    };
    const calling = async (mgr: Manager): Promise<void> => {
      await reconcileShops(mgr, ConfigMap, async (owner) => {
        await writeConfig(mgr, owner);
        await cloud.set(`${owner.metadata.namespace}/${owner.metadata.name}`, owner.spec.replicas);
      });
    };
    const current = eventually("the cloud has the number of replicas", (world) =>
      world
        .list(Shop)
        .every(({ metadata, spec }) => cloud.replicas.get(`${metadata.namespace}/${metadata.name}`) === spec.replicas),
    );
    const scenario: SimulateOptions["scenario"] = async (world) => {
      await sharedShops.scenario?.(world);
      for (const replicas of [4, 5, 6]) {
        for (const namespace of ["blue", "green", "orange"]) {
          await world.client.patch(Shop, { namespace, name: "b" }, { spec: { replicas } });
        }
      }
      await world.settled();
    };
    const options = { operator: calling, external: cloud, invariants: [current], scenario };
    const found = await finding({ ...options, faults: ["time", "rescale"] }, 100);
    expect(found).toMatch(/^the cloud has the number of replicas: /);
  });

  it("a reconcile that ignores its signal", async () => {
    const ignoring = async (mgr: Manager): Promise<void> => {
      await reconcileShops(mgr, ConfigMap, async (owner) => {
        await writeConfig(mgr, owner);
        if (owner.metadata.name === "b") await new Promise((resolve) => setTimeout(resolve, 3_600_000));
      });
    };
    const found = await finding({ operator: ignoring });
    expect(found).toMatch(/^a reconcile ends in time: /);
  });

  it("no mistake in a correct operator", async () => {
    expect(await finding({ operator }, 8)).toBeUndefined();
  });
});
