import type { World } from "@kubewright/runtime/simulation";
import { always, eventually } from "@kubewright/runtime/simulation";
import {
  addFinalizer,
  type Case,
  Cloud,
  finalizer,
  key,
  lifeOfShop,
  noLeaks,
  operator,
  other,
  removeFinalizer,
  Shop,
  setStatus,
  shop,
} from "../lib.ts";

const invariants = [eventually("no bucket without a Shop", noLeaks)];

/** Creates a shop and deletes it soon, which a crash can precede. */
async function shortLife(world: World): Promise<void> {
  await world.client.create(shop());
  await world.advance(Math.floor(world.random() * 100));
  await world.client.delete(Shop, key);
  await world.settled();
}

/** Defects of operators that manage something outside of the cluster. */
export const external: readonly Case[] = [
  {
    name: "finalizer after the external resource",
    why: "a crash or a deletion in between leaves the resource behind",
    simulation: (isDefective) => {
      const cloud = new Cloud();
      return {
        external: cloud,
        scenario: shortLife,
        invariants,
        operator: operator(() => async (owner, client) => {
          const { name, deletionTimestamp } = owner.metadata;
          if (deletionTimestamp) {
            if (!owner.metadata.finalizers?.includes(finalizer)) return;
            await cloud.remove(name);
            return removeFinalizer(owner, client);
          }
          if (isDefective) {
            await cloud.create(name);
            await addFinalizer(owner, client);
          } else {
            await addFinalizer(owner, client);
            await cloud.create(name);
          }
        }),
      };
    },
  },
  {
    name: "finalizer removed before the cleanup",
    why: "a crash in between leaves the resource behind",
    simulation: (isDefective) => {
      const cloud = new Cloud();
      return {
        external: cloud,
        scenario: lifeOfShop,
        invariants,
        operator: operator(() => async (owner, client) => {
          const { name, deletionTimestamp } = owner.metadata;
          if (deletionTimestamp) {
            if (!owner.metadata.finalizers?.includes(finalizer)) return;
            if (isDefective) await removeFinalizer(owner, client);
            await cloud.remove(name);
            if (!isDefective) await removeFinalizer(owner, client);
            return;
          }
          await addFinalizer(owner, client);
          await cloud.create(name);
        }),
      };
    },
  },
  {
    name: "cleanup that can't be repeated",
    why: "the resource is gone after the first attempt, and the second one fails forever",
    simulation: (isDefective) => {
      const cloud = new Cloud();
      return {
        external: cloud,
        scenario: lifeOfShop,
        invariants,
        operator: operator(() => async (owner, client) => {
          const { name, deletionTimestamp } = owner.metadata;
          if (deletionTimestamp) {
            if (!owner.metadata.finalizers?.includes(finalizer)) return;
            if (isDefective) await cloud.removeExisting(name);
            else await cloud.remove(name);
            return removeFinalizer(owner, client);
          }
          await addFinalizer(owner, client);
          await cloud.create(name);
        }),
      };
    },
  },
  {
    name: "no finalizer",
    why: "a deletion during a restart isn't seen by anybody",
    simulation: (isDefective) => {
      const cloud = new Cloud();
      return {
        external: cloud,
        scenario: lifeOfShop,
        invariants,
        operator: operator(
          () => async (owner, client) => {
            const { name, deletionTimestamp } = owner.metadata;
            if (deletionTimestamp) {
              if (!owner.metadata.finalizers?.includes(finalizer)) return;
              await cloud.remove(name);
              return removeFinalizer(owner, client);
            }
            if (!isDefective) await addFinalizer(owner, client);
            await cloud.create(name);
          },
          { missing: async ({ name }) => (isDefective ? cloud.remove(name) : undefined) },
        ),
      };
    },
  },
  {
    name: "generated id that is written too late",
    why: "a crash before the status is written loses the id, and the next attempt creates another resource",
    simulation: (isDefective) => {
      const cloud = new Cloud();
      return {
        external: cloud,
        scenario: lifeOfShop,
        invariants: [eventually("at most one bucket per Shop", () => cloud.buckets.size <= 1), ...invariants],
        operator: operator(() => async (owner, client) => {
          const { name, deletionTimestamp } = owner.metadata;
          const bucket = owner.status?.bucket ?? (isDefective ? `${name}-${Math.random()}` : name);
          if (deletionTimestamp) {
            if (!owner.metadata.finalizers?.includes(finalizer)) return;
            await cloud.remove(bucket);
            return removeFinalizer(owner, client);
          }
          const marked = await addFinalizer(owner, client);
          if (owner.status?.bucket) return;
          await cloud.create(bucket);
          await setStatus(marked, client, { bucket });
        }),
      };
    },
  },
  {
    name: "id in memory",
    why: "after a restart, the operator doesn't know what it must delete",
    simulation: (isDefective) => {
      const cloud = new Cloud();
      return {
        external: cloud,
        scenario: lifeOfShop,
        invariants,
        operator: operator(() => {
          const known = new Set<string>();
          return async (owner, client) => {
            const { name, deletionTimestamp } = owner.metadata;
            if (deletionTimestamp) {
              if (!owner.metadata.finalizers?.includes(finalizer)) return;
              if (!isDefective || known.has(name)) await cloud.remove(name);
              return removeFinalizer(owner, client);
            }
            await addFinalizer(owner, client);
            if (owner.status?.bucket) return;
            await cloud.create(name);
            known.add(name);
            await setStatus((await client.get(Shop, key)) ?? owner, client, { bucket: name });
          };
        }),
      };
    },
  },
  {
    name: "cleanup by name across owners",
    why: "the name of one object is the beginning of another's",
    simulation: (isDefective) => {
      const cloud = new Cloud();
      return {
        external: cloud,
        scenario: async (world) => {
          await world.client.create(shop("a"));
          await world.client.create(shop("ab"));
          await world.settled();
          await world.client.delete(Shop, key);
          await world.settled();
        },
        invariants: [
          eventually("each Shop has its bucket", (world) =>
            world.list(Shop).every(({ metadata }) => cloud.buckets.has(metadata.name)),
          ),
        ],
        operator: operator(() => async (owner, client) => {
          const { name, deletionTimestamp } = owner.metadata;
          if (deletionTimestamp) {
            if (!owner.metadata.finalizers?.includes(finalizer)) return;
            for (const bucket of [...cloud.buckets.keys()]) {
              if (isDefective ? bucket.startsWith(name) : bucket === name) await cloud.remove(bucket);
            }
            return removeFinalizer(owner, client);
          }
          await addFinalizer(owner, client);
          await cloud.create(name);
        }),
      };
    },
  },
  {
    name: "an error treated as a missing object",
    why: "a failed read looks like a deletion, and the operator cleans up",
    simulation: (isDefective) => {
      const cloud = new Cloud();
      let id: string | undefined;
      return {
        external: cloud,
        faults: ["errors", "crash", "conflict", "watch", "time"],
        scenario: async (world) => {
          id = undefined;
          await lifeOfShop(world);
        },
        invariants: [
          always("the bucket of a Shop stays", (world) => {
            const bucket = cloud.buckets.get("a");
            const isDeleted =
              world.object(Shop, key)?.metadata.deletionTimestamp !== undefined || !world.object(Shop, key);
            if (isDeleted) return true;
            if (id !== undefined && bucket !== id) return false;
            id = bucket;
            return true;
          }),
          ...invariants,
        ],
        operator: operator(() => async (owner, client, _ctx, mgr) => {
          const { name } = owner.metadata;
          const now = await mgr.apiReader.get(Shop, key).catch((error: unknown) => {
            if (isDefective) return undefined;
            throw error;
          });
          if (!now || now.metadata.deletionTimestamp) {
            await cloud.remove(name);
            if (now?.metadata.finalizers?.includes(finalizer)) await removeFinalizer(now, client);
            return;
          }
          await addFinalizer(now, client);
          await cloud.create(name);
        }),
      };
    },
  },
  {
    name: "work during the deletion",
    why: "the reconcile continues after the cleanup, and creates the resource again",
    simulation: (isDefective) => {
      const cloud = new Cloud();
      return {
        external: cloud,
        scenario: lifeOfShop,
        invariants,
        operator: operator(() => async (owner, client) => {
          const { name, deletionTimestamp } = owner.metadata;
          if (deletionTimestamp) {
            if (!owner.metadata.finalizers?.includes(finalizer)) return;
            await cloud.remove(name);
            await removeFinalizer(owner, client);
            if (!isDefective) return;
          } else await addFinalizer(owner, client);
          await cloud.create(name);
        }),
      };
    },
  },
  {
    name: "finalizers of others removed",
    why: "a merge patch replaces the whole list",
    simulation: (isDefective) => ({
      scenario: async (world) => {
        const initial = shop();
        await world.client.create({ ...initial, metadata: { ...initial.metadata, finalizers: ["example.com/hold"] } });
        await world.settled();
        await world.client.patch(Shop, other, { spec: {} }).catch(() => {});
        await world.client.patch(Shop, key, { metadata: { finalizers: [] } });
        await world.client.delete(Shop, key);
      },
      faults: ["stale", "crash", "conflict", "lost", "errors", "watch", "time"],
      invariants: [
        always("the user's finalizer stays until the user removes it", (world) => {
          const stored = world.object(Shop, key);
          return (
            !stored?.metadata.finalizers?.includes(finalizer) || stored.metadata.finalizers.includes("example.com/hold")
          );
        }),
      ],
      operator: operator(() => async (owner, client) => {
        const { finalizers = [], deletionTimestamp } = owner.metadata;
        if (deletionTimestamp) return removeFinalizer(owner, client);
        if (finalizers.includes(finalizer) || !finalizers.includes("example.com/hold")) return;
        if (!isDefective) return void (await addFinalizer(owner, client));
        await client.update({ ...owner, metadata: { ...owner.metadata, finalizers: [finalizer] } });
      }),
    }),
  },
];
