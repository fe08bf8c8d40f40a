import { generationChangedPredicate, ignoreNotFound, newControllerManagedBy } from "@kubewright/runtime";
import { ConfigMap, PersistentVolumeClaim } from "@kubewright/runtime/api/core/v1";
import { always, eventually } from "@kubewright/runtime/simulation";
import { type Case, child, key, lifeOfShop, operator, Shop, setStatus, shop, syncChild } from "../lib.ts";

const owns = [ConfigMap];

/** Defects of operators that create objects. */
export const children: readonly Case[] = [
  {
    name: "ownerless child",
    why: "the owner reference is forgotten, and nothing deletes the child",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          if (!isDefective) return void (await syncChild(owner, client));
          const { ownerReferences: _, ...metadata } = child(owner).metadata ?? {};
          const configMap = await ignoreNotFound(client.get(ConfigMap, key));
          if (!configMap) await client.create({ ...child(owner), metadata });
          else if (configMap.data?.text !== owner.spec.text)
            await client.update({ ...configMap, data: { text: owner.spec.text ?? "" } });
        },
        { owns },
      ),
    }),
  },
  {
    name: "create with generateName",
    why: "a create is repeated after a crash or a timeout, and nothing recognizes the first child",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      invariants: [eventually("at most one child", (world) => world.list(ConfigMap).filter(isChild).length <= 1)],
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          if (!isDefective) return void (await syncChild(owner, client));
          const { items } = await client.list(ConfigMap, { namespace: "default" });
          if (items.some(({ metadata }) => metadata.ownerReferences?.[0]?.uid === owner.metadata.uid)) return;
          const wanted = child(owner);
          await client.create({
            ...wanted,
            metadata: { ...wanted.metadata, name: undefined, generateName: "a-" },
          } as ConfigMap);
        },
        { owns },
      ),
    }),
  },
  {
    name: "requeue instead of watch",
    why: "without a watch, a deleted child comes back only with the next requeue",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          await syncChildLive(owner, client);
          return isDefective ? { requeueAfter: 600_000 } : undefined;
        },
        isDefective ? {} : { owns },
      ),
    }),
  },
  {
    name: "predicate that drops all changes",
    why: "objects without metadata.generation never pass a predicate for changes of the generation",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: async (mgr) => {
        const predicates = isDefective ? [generationChangedPredicate] : [];
        await newControllerManagedBy(mgr)
          .for(Shop)
          .owns(ConfigMap, { predicates })
          .complete({
            async reconcile(_ctx, request) {
              const shop = await ignoreNotFound(mgr.client.get(Shop, request));
              if (shop && !shop.metadata.deletionTimestamp) await syncChild(shop, mgr.client);
            },
          });
      },
    }),
  },
  {
    name: "last applied state in memory",
    why: "the operator compares with what it wrote, not with what exists",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => {
          const applied = new Map<string, string>();
          return async (owner, client) => {
            if (owner.metadata.deletionTimestamp) return;
            const wanted = JSON.stringify([owner.metadata.uid, owner.spec]);
            if (isDefective && applied.get(owner.metadata.name) === wanted) return;
            await syncChild(owner, client);
            applied.set(owner.metadata.name, wanted);
          };
        },
        { owns },
      ),
    }),
  },
  {
    name: "delete without precondition",
    why: "the operator deletes the child of a deleted object, but it belongs to the successor",
    simulation: (isDefective) => ({
      faults: ["stale", "crash", "watch", "recreate"],
      scenario: async (world) => {
        await world.client.create(shop());
        await world.settled();
        await world.client.delete(Shop, key);
        await world.client.create(shop());
        await world.settled();
      },
      invariants: [
        always("the volume of a Shop stays", (world) => {
          const stored = world.object(Shop, key);
          if (!stored?.status?.volume) return true;
          return world.object(PersistentVolumeClaim, key)?.metadata.uid === stored.status.volume;
        }),
      ],
      operator: operator(
        () => async (owner, client, _ctx, mgr) => {
          const volume = await ignoreNotFound(client.get(PersistentVolumeClaim, key));
          if (volume && volume.metadata.labels?.shop !== owner.metadata.uid) {
            // It belongs to the predecessor.
            if (!isDefective && (await mgr.apiReader.get(Shop, key)).metadata.uid !== owner.metadata.uid) {
              throw new Error("the cache has the predecessor");
            }
            const preconditions = { uid: volume.metadata.uid };
            await client.delete(PersistentVolumeClaim, key, isDefective ? {} : { preconditions });
            throw new Error("the old volume is being deleted");
          }
          const present = volume ?? (await client.create(volumeOf(owner.metadata.uid)));
          await setStatus(owner, client, { volume: present.metadata.uid });
        },
        { owns: [] },
      ),
    }),
  },
  {
    name: "stale spec as truth for deletions",
    why: "a new process with an old cache scales down what a user has scaled up",
    simulation: (isDefective) => {
      let members = new Map<string, string>();
      return {
        faults: ["stale", "crash", "replicas", "watch", "time"],
        scenario: async (world) => {
          members = new Map();
          await world.client.create(shop("a", { size: 1, text: "x" }));
          await world.settled();
          await world.client.patch(Shop, key, { spec: { size: 3 } });
          await world.settled();
          await world.restart();
          await world.settled();
        },
        invariants: [
          always("a member that is wanted stays", (world) => {
            for (const { metadata } of world.list(ConfigMap).filter(isChild)) {
              const member = members.get(metadata.name);
              if (member !== undefined && member !== metadata.uid) return false;
              members.set(metadata.name, metadata.uid);
            }
            return true;
          }),
        ],
        operator: operator(
          () => async (owner, client, _ctx, mgr) => {
            const size = owner.spec.size ?? 0;
            for (let number = 0; number < size; number++) await syncChild(owner, client, `a-${number}`);
            const { items } = await client.list(ConfigMap, { namespace: "default" });
            for (const { metadata } of items.filter(isChild)) {
              const number = Number(metadata.name.slice(2));
              if (number < size) continue;
              const now = isDefective ? owner : await mgr.apiReader.get(Shop, key);
              if (number < (now.spec.size ?? 0)) throw new Error("the cache is old");
              await client.delete(ConfigMap, { namespace: "default", name: metadata.name });
            }
          },
          { owns },
        ),
      };
    },
  },
  {
    name: "child of a predecessor treated as its own",
    why: "the child exists by name, but its owner is gone, so the garbage collector deletes it",
    simulation: (isDefective) => ({
      scenario: async (world) => {
        await world.client.create(shop());
        await world.settled();
        await world.client.delete(Shop, key);
        await world.client.create(shop());
        await world.settled();
      },
      faults: ["gc", "recreate", "stale", "watch"],
      operator: operator(
        () => async (owner, client, _ctx, mgr) => {
          if (owner.metadata.deletionTimestamp) return;
          if (!isDefective) return void (await syncChild(owner, client));
          if (!(await ignoreNotFound(mgr.apiReader.get(ConfigMap, key)))) await client.create(child(owner));
        },
        isDefective ? {} : { owns },
      ),
    }),
  },
  {
    name: "owner reference kept in memory",
    why: "the cached reference has the UID of a deleted object, and the garbage collector deletes each new child",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => {
          const owners = new Map<string, ConfigMap["metadata"]>();
          return async (owner, client) => {
            if (owner.metadata.deletionTimestamp) return;
            const { name } = owner.metadata;
            if (!isDefective) return void (await syncChild(owner, client));
            const metadata = owners.get(name) ?? child(owner).metadata;
            owners.set(name, metadata);
            const configMap = await ignoreNotFound(client.get(ConfigMap, key));
            if (!configMap) await client.create({ ...child(owner), metadata });
            else if (configMap.data?.text !== owner.spec.text)
              await client.update({ ...configMap, data: { text: owner.spec.text ?? "" } });
          };
        },
        { owns },
      ),
    }),
  },
  {
    name: "owner in another namespace",
    why: "the garbage collector treats an owner in another namespace as missing",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          if (!isDefective) return void (await syncChild(owner, client));
          const place = { namespace: "kube-system", name: "a" };
          if (await ignoreNotFound(client.get(ConfigMap, place))) return;
          const wanted = child(owner);
          await client.create({ ...wanted, metadata: { ...wanted.metadata, ...place } });
        },
        { owns },
      ),
    }),
  },
  {
    name: "password that is generated again",
    why: "a cache that lacks the object for a moment makes the operator replace it",
    simulation: (isDefective) => {
      let password: string | undefined;
      return {
        faults: ["stale", "crash", "lost", "watch", "replicas"],
        scenario: async (world) => {
          password = undefined;
          await lifeOfShop(world);
        },
        invariants: [
          always("the password stays", (world) => {
            const storedPassword = world.object(ConfigMap, key)?.data?.password;
            if (!storedPassword || !world.object(Shop, key)) return true;
            password ??= storedPassword;
            return storedPassword === password;
          }),
        ],
        operator: operator(
          () => async (owner, client) => {
            if (owner.metadata.deletionTimestamp) return;
            if (await ignoreNotFound(client.get(ConfigMap, key))) return;
            const wanted = { ...child(owner), data: { password: String(Math.random()) } };
            try {
              await client.create(wanted);
            } catch (error) {
              if (!isDefective) throw error;
              await client.update(wanted);
            }
          },
          { owns },
        ),
      };
    },
  },
];

function isChild({ metadata }: { metadata?: { name?: string } }): boolean {
  return metadata?.name?.startsWith("a-") ?? false;
}

async function syncChildLive(...[owner, client]: Parameters<typeof syncChild>): Promise<void> {
  await syncChild(owner, client);
}

function volumeOf(uid: string): PersistentVolumeClaim {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { ...key, labels: { shop: uid } },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  } as PersistentVolumeClaim;
}
