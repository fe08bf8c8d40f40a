import {
  enqueueRequestsFromMapFunc,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  type Predicate,
  type Request,
  type Stored,
} from "@kubewright/runtime";
import { ConfigMap, Secret } from "@kubewright/runtime/api/core/v1";
import { always, eventually, type World } from "@kubewright/runtime/simulation";
import {
  addFinalizer,
  type Case,
  Cloud,
  finalizer,
  isOwnedBy,
  key,
  lifeOfShop,
  noLeaks,
  removeFinalizer,
  Shop,
  setStatus,
  shop,
  syncChild,
} from "../lib.ts";

const namespace = "default";
const other = { namespace, name: "b" };
const item = { namespace, name: "item" };

/** An item moves from one shop to another one, and is removed. */
async function moveItem(world: World): Promise<void> {
  for (const name of ["a", "b"]) await world.client.create(shop(name));
  await world.client.create(Secret, { metadata: { ...item, labels: { shop: "a" } } });
  await world.settled();
  await world.client.patch(Secret, item, { metadata: { labels: { shop: "b" } } });
  await world.settled();
  await world.client.delete(Secret, item);
  await world.settled();
  for (const at of [key, other]) await world.client.delete(Shop, at);
}

/** Counts the items of a shop. */
async function countItems(mgr: Manager, request: { namespace?: string; name: string }): Promise<void> {
  const owner = await ignoreNotFound(mgr.client.get(Shop, request));
  if (!owner || owner.metadata.deletionTimestamp) return;
  const { items } = await mgr.client.list(Secret, { namespace, labels: { shop: request.name } });
  await setStatus(owner, mgr.client, { count: items.length });
}

function shopOf(secret: Secret): { namespace: string; name: string }[] {
  const name = secret.metadata?.labels?.shop;
  return name === undefined ? [] : [{ namespace, name }];
}

/** Runs one controller for Shops that calls a function for each that exists. */
async function run(
  mgr: Manager,
  reconcile: (owner: Stored<Shop>) => Promise<unknown>,
  predicates: Predicate<Shop>[] = [],
): Promise<void> {
  await newControllerManagedBy(mgr)
    .for(Shop, { predicates })
    .owns(ConfigMap)
    .complete({
      async reconcile(_ctx, request) {
        const owner = await ignoreNotFound(mgr.client.get(Shop, request));
        if (owner) await reconcile(owner);
      },
    });
}

/** Defects of operators that miss events, or depend on their order. */
export const watches: readonly Case[] = [
  {
    name: "label of the new state only",
    why: "an item that moves to another shop never causes a reconcile of the shop that it leaves",
    simulation: (isDefective) => ({
      scenario: moveItem,
      operator: async (mgr) => {
        const add = (queue: { add(request: Request): void }, secret: Secret): void => {
          for (const request of shopOf(secret)) queue.add(request);
        };
        await newControllerManagedBy(mgr)
          .for(Shop)
          .watches(
            Secret,
            isDefective
              ? {
                  create: (_ctx, { object }, queue) => add(queue, object),
                  update: (_ctx, { object }, queue) => add(queue, object),
                  delete: (_ctx, { object }, queue) => add(queue, object),
                  generic: () => {},
                }
              : enqueueRequestsFromMapFunc((_ctx, secret) => shopOf(secret)),
          )
          .complete({ reconcile: (_ctx, request) => countItems(mgr, request) });
      },
    }),
  },
  {
    name: "predicate that drops deletions",
    why: "nothing recalculates the number of items when one is deleted",
    simulation: (isDefective) => ({
      scenario: moveItem,
      operator: async (mgr) => {
        await newControllerManagedBy(mgr)
          .for(Shop)
          .watches(
            Secret,
            enqueueRequestsFromMapFunc(() => [key, other]),
            isDefective ? { predicates: [{ delete: () => false }] } : {},
          )
          .complete({ reconcile: (_ctx, request) => countItems(mgr, request) });
      },
    }),
  },
  {
    name: "predicate that compares the spec only",
    why: "the deletion of an object with a finalizer is an update of its metadata, so nothing cleans up",
    simulation: (isDefective) => {
      const cloud = new Cloud();
      return {
        external: cloud as never,
        scenario: lifeOfShop,
        operator: (mgr) => {
          const changed: Predicate<Shop> = {
            update: ({ oldObject, object }) =>
              JSON.stringify(oldObject.spec) !== JSON.stringify(object.spec) ||
              (!isDefective && oldObject.metadata?.deletionTimestamp !== object.metadata?.deletionTimestamp) ||
              (!isDefective && oldObject.metadata?.finalizers?.length !== object.metadata?.finalizers?.length),
          };
          return run(
            mgr,
            async (owner) => {
              const { name, deletionTimestamp, finalizers } = owner.metadata;
              if (!deletionTimestamp) {
                await addFinalizer(owner, mgr.client);
                await cloud.create(name);
              } else if (finalizers?.includes(finalizer)) {
                await cloud.remove(name);
                await removeFinalizer(owner, mgr.client);
              }
            },
            [changed],
          );
        },
      };
    },
  },
  {
    name: "predicate that drops changes of labels",
    why: "the generation doesn't change with the labels, which the child copies",
    simulation: (isDefective) => ({
      scenario: async (world) => {
        await world.client.create(shop());
        await world.settled();
        await world.client.patch(Shop, key, { metadata: { labels: { tier: "gold" } } });
        await world.settled();
        await world.client.delete(Shop, key);
      },
      operator: (mgr) => {
        const changed: Predicate<Shop> = {
          update: ({ oldObject, object }) =>
            oldObject.metadata?.generation !== object.metadata?.generation ||
            (!isDefective && JSON.stringify(oldObject.metadata?.labels) !== JSON.stringify(object.metadata?.labels)),
        };
        return run(
          mgr,
          async (owner) => {
            const { labels = {}, deletionTimestamp } = owner.metadata;
            if (deletionTimestamp) return;
            const text = labels.tier ?? "none";
            await syncChild({ ...owner, spec: { ...owner.spec, text } }, mgr.client);
          },
          [changed],
        );
      },
    }),
  },
  {
    name: "result that depends on the order of objects",
    why: "the operator uses defaults if the settings are created after the shop, and never looks again",
    simulation: (isDefective) => ({
      scenario: async (world) => {
        await world.client.create(ConfigMap, { metadata: item, data: { text: "from settings" } });
        await world.client.create(shop());
        await world.settled();
        await world.client.delete(Shop, key);
      },
      operator: async (mgr) => {
        const builder = newControllerManagedBy(mgr).for(Shop).owns(ConfigMap);
        if (!isDefective)
          builder.watches(
            ConfigMap,
            enqueueRequestsFromMapFunc((_ctx, { metadata }) => (metadata?.name === item.name ? [key] : [])),
          );
        await builder.complete({
          async reconcile(_ctx, request) {
            const owner = await ignoreNotFound(mgr.client.get(Shop, request));
            if (!owner || owner.metadata.deletionTimestamp) return;
            const settings = await ignoreNotFound(mgr.client.get(ConfigMap, item));
            const text = settings?.data?.text ?? "default";
            const configMap = await ignoreNotFound(mgr.client.get(ConfigMap, key));
            if (isDefective && configMap && isOwnedBy(configMap, owner)) return;
            await syncChild({ ...owner, spec: { text } }, mgr.client);
          },
        });
      },
    }),
  },
  {
    name: "memory by name",
    why: "the id of the deleted object is used for the new one with the same name",
    simulation: (isDefective) => {
      const cloud = new Cloud();
      return {
        external: cloud as never,
        scenario: async (world) => {
          await lifeOfShop(world);
          await world.settled();
          await world.client.create(shop());
          await world.settled();
          await world.client.delete(Shop, key);
        },
        invariants: [
          eventually("the status has the bucket of the shop", (world) => {
            const stored = world.object(Shop, key);
            return !stored || stored.status?.bucket === cloud.buckets.get("a");
          }),
          eventually("no bucket without a Shop", noLeaks),
        ],
        operator: (mgr) => {
          const ids = new Map<string, string>();
          return run(mgr, async (owner) => {
            const { name, uid, deletionTimestamp, finalizers } = owner.metadata;
            if (deletionTimestamp) {
              if (!finalizers?.includes(finalizer)) return;
              await cloud.remove(name);
              return removeFinalizer(owner, mgr.client);
            }
            const present = await addFinalizer(owner, mgr.client);
            const id = isDefective ? name : uid;
            const bucket = ids.get(id) ?? (await cloud.create(name));
            ids.set(id, bucket);
            await setStatus(present, mgr.client, { bucket });
          });
        },
      };
    },
  },
  {
    name: "two controllers for one external object",
    why: "each controller asks whether the object exists, and both create it",
    simulation: (isDefective) => {
      const calls: string[] = [];
      const provider = {
        calls,
        async find(name: string): Promise<boolean> {
          return calls.includes(name);
        },
        async order(name: string): Promise<void> {
          calls.push(name);
        },
        async orderOnce(name: string): Promise<void> {
          if (!calls.includes(name)) calls.push(name);
        },
      };
      return {
        external: provider,
        faults: ["stale", "watch", "errors", "conflict", "lost", "time"],
        scenario: lifeOfShop,
        invariants: [always("each shop orders once", () => new Set(calls).size === calls.length)],
        operator: async (mgr) => {
          for (const name of ["stock", "opening"]) {
            await newControllerManagedBy(mgr)
              .for(Shop)
              .named(name)
              .complete({
                async reconcile(_ctx, request) {
                  const owner = await ignoreNotFound(mgr.client.get(Shop, request));
                  if (!owner || owner.metadata.deletionTimestamp) return;
                  const { uid } = owner.metadata;
                  if (!isDefective) await provider.orderOnce(uid);
                  else if (!(await provider.find(uid))) await provider.order(uid);
                },
              });
          }
        },
      };
    },
  },
  {
    name: "work in the background whose errors are caught",
    why: "the reconcile succeeds before the work, and nothing repeats a failed attempt",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: (mgr) =>
        run(mgr, async (owner) => {
          if (owner.metadata.deletionTimestamp) return;
          const work = syncChild(owner, mgr.client);
          if (isDefective) void work.catch(() => {});
          else await work;
        }),
    }),
  },
  {
    name: "number changed by events",
    why: "each event of a child adds or subtracts one, and events are repeated, merged or missed",
    simulation: (isDefective) => ({
      scenario: moveItem,
      operator: async (mgr) => {
        let count = 0;
        const handler = enqueueRequestsFromMapFunc<Secret>(() => [key, other]);
        await newControllerManagedBy(mgr)
          .for(Shop)
          .watches(Secret, handler, {
            predicates: [
              {
                create: () => {
                  count++;
                  return true;
                },
                delete: () => {
                  count--;
                  return true;
                },
              },
            ],
          })
          .complete({
            async reconcile(_ctx, request) {
              const owner = await ignoreNotFound(mgr.client.get(Shop, request));
              if (!owner || owner.metadata.deletionTimestamp) return;
              const { items } = await mgr.client.list(Secret, { namespace });
              const stored = (owner.status?.count ?? 0) + (count === 0 ? 0 : count);
              if (isDefective) count = 0;
              await setStatus(owner, mgr.client, { count: isDefective ? stored : items.length });
            },
          });
      },
    }),
  },
];
