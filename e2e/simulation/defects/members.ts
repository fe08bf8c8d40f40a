import {
  asReconciler,
  type Client,
  enqueueRequestsFromMapFunc,
  ignoreAlreadyExists,
  ignoreNotFound,
  newControllerManagedBy,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import { ConfigMap, PersistentVolumeClaim, Pod, Secret } from "@kubewright/runtime/api/core/v1";
import { always, eventually, type SimulateOptions, type World } from "@kubewright/runtime/simulation";
import {
  addFinalizer,
  type Case,
  child,
  finalizer,
  isOwnedBy,
  key,
  operator,
  removeFinalizer,
  Shop,
  shop,
} from "../lib.ts";

const namespace = "default";

/** Creates a shop with three members, removes one, and deletes the shop. */
async function scaleDown(world: World): Promise<void> {
  await world.client.create(shop("a", { size: 3, text: "one" }));
  await world.settled();
  await world.client.patch(Shop, key, { spec: { size: 2 } });
  await world.settled();
  await world.client.delete(Shop, key);
}

/** Returns the member with a number. */
function memberOf(owner: Stored<Shop>, number: number): ConfigMap {
  const { metadata, ...rest } = child(owner, `${owner.metadata.name}-${number}`);
  return { ...rest, metadata: { ...metadata, labels: { shop: owner.metadata.name } } };
}

/** Returns the own members of a shop, in the order of their numbers. */
async function membersOf(owner: Stored<Shop>, client: Client): Promise<Stored<ConfigMap>[]> {
  const { items } = await client.list(ConfigMap, { namespace });
  return items
    .filter((one) => isOwnedBy(one, owner))
    .sort((one, two) => (one.metadata.name < two.metadata.name ? -1 : 1));
}

function claimOf(owner: Stored<Shop>, number: number): PersistentVolumeClaim {
  const object: PersistentVolumeClaim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { namespace, name: `data-${owner.metadata.name}-${number}` },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  };
  setControllerReference(owner, object);
  return object;
}

function podOf(owner: Stored<Shop>): Pod {
  const object: Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace, labels: { shop: owner.metadata.name } },
    spec: { containers: [{ name: "shop", image: "shop:1" }] },
  };
  setControllerReference(owner, object);
  return object;
}

/** Runs a reconciler for shops that also reacts to their copies, `NAMESPACE.NAME` in another namespace. */
function copying(reconcile: (owner: Stored<Shop>, client: Client) => Promise<unknown>): SimulateOptions["operator"] {
  return async (mgr) => {
    await newControllerManagedBy(mgr)
      .for(Shop)
      .watches(
        ConfigMap,
        enqueueRequestsFromMapFunc((_ctx, { metadata }) => {
          const [home, name] = metadata?.name?.split(".") ?? [];
          return metadata?.namespace === "kube-public" && home && name ? [{ namespace: home, name }] : [];
        }),
      )
      .complete(
        asReconciler(mgr.client, Shop, { reconcile: async (_ctx, owner) => void (await reconcile(owner, mgr.client)) }),
      );
  };
}

/** Defects of operators whose objects have several children. */
export const members: readonly Case[] = [
  {
    name: "member with the wrong number removed",
    why: "scaling down removes the first member, not the last one",
    simulation: (isDefective) => ({
      faults: ["stale", "crash", "watch", "errors", "lost", "conflict", "time", "recreate"],
      scenario: scaleDown,
      invariants: [
        eventually("the members are numbered from 0", (world) => {
          const owner = world.object(Shop, key);
          const names = world.list(ConfigMap).filter((one) => owner && isOwnedBy(one, owner));
          return names.every(({ metadata }) => Number(metadata.name.split("-")[1]) < (owner?.spec.size ?? 0));
        }),
      ],
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          const { size = 1 } = owner.spec;
          const present = await membersOf(owner, client);
          for (let number = 0; present.length < size && number < size; number++) {
            if (present.some(({ metadata }) => metadata.name === `a-${number}`)) continue;
            await client.create(memberOf(owner, number));
          }
          const surplus = isDefective
            ? present.slice(0, Math.max(0, present.length - size))
            : present.filter(({ metadata }) => Number(metadata.name.split("-")[1]) >= size);
          for (const { metadata } of surplus) {
            const { name, uid } = metadata;
            await ignoreNotFound(client.delete(ConfigMap, { namespace, name }, { preconditions: { uid } }));
          }
        },
        { owns: [ConfigMap] },
      ),
    }),
  },
  {
    name: "claim of a removed member",
    why: "scaling down removes the member, but its volume stays and is used again later",
    simulation: (isDefective) => ({
      scenario: scaleDown,
      invariants: [
        eventually("each claim has a member", (world) => {
          const owner = world.object(Shop, key);
          return !owner || world.list(PersistentVolumeClaim).length <= (owner.spec.size ?? 0);
        }),
      ],
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          const { size = 1 } = owner.spec;
          for (let number = 0; number < size; number++) {
            const { name = "" } = claimOf(owner, number).metadata ?? {};
            const stored = await ignoreNotFound(client.get(PersistentVolumeClaim, { namespace, name }));
            if (!stored) await client.create(claimOf(owner, number));
            else if (!isOwnedBy(stored, owner)) throw new Error("the claim of a predecessor is being deleted");
          }
          if (isDefective) return;
          const { items } = await client.list(PersistentVolumeClaim, { namespace });
          for (const { metadata } of items) {
            const { name, uid } = metadata;
            if (Number(name.split("-")[2]) < size || metadata.deletionTimestamp) continue;
            const claim = { namespace, name };
            await ignoreNotFound(client.delete(PersistentVolumeClaim, claim, { preconditions: { uid } }));
          }
        },
        { owns: [PersistentVolumeClaim] },
      ),
    }),
  },
  {
    name: "one child that stops the others",
    why: "the first child can't be created, and the operator never gets to the second one",
    simulation: (isDefective) => ({
      scenario: async (world) => {
        await world.client.create(shop("a", { size: 1, text: "In-Valid" }));
        await world.client.create(shop("ab", { size: 1, text: "valid" }));
        await world.settled();
        await world.client.delete(Shop, key);
        await world.client.delete(Shop, { namespace, name: "ab" });
      },
      invariants: [
        eventually("a Shop with an invalid name of a Secret has its ConfigMap", (world) => {
          return !world.object(Shop, key) || world.object(ConfigMap, key) !== undefined;
        }),
      ],
      operator: operator(
        () => async (owner, client) => {
          const { name, deletionTimestamp } = owner.metadata;
          if (deletionTimestamp) return;
          const errors: unknown[] = [];
          const secret: Secret = {
            apiVersion: "v1",
            kind: "Secret",
            metadata: { namespace, name: `${owner.spec.text}` },
          };
          setControllerReference(owner, secret);
          for (const wanted of [secret, child(owner)]) {
            const kind = wanted.kind === "Secret" ? Secret : ConfigMap;
            const place = { namespace, name: wanted.metadata?.name ?? name };
            try {
              const stored = await ignoreNotFound(client.get(kind as typeof ConfigMap, place));
              if (!stored) await client.create(wanted as ConfigMap);
              else if (!isOwnedBy(stored, owner)) throw new Error(`${place.name} belongs to a predecessor`);
            } catch (error) {
              if (isDefective) throw error;
              errors.push(error);
            }
          }
          if (errors.length > 0) throw errors[0];
        },
        { owns: [ConfigMap, Secret] },
      ),
    }),
  },
  {
    name: "names that are equal after they are cut",
    why: "two long names have the same beginning, so two objects share one child",
    simulation: (isDefective) => {
      const long = "a-very-long-name-of-a-shop";
      return {
        scenario: async (world) => {
          for (const end of ["north", "south"]) await world.client.create(shop(`${long}-${end}`, { text: end }));
          await world.settled();
          for (const end of ["north", "south"]) await world.client.delete(Shop, { namespace, name: `${long}-${end}` });
        },
        invariants: [
          eventually("each Shop has a ConfigMap", (world) => {
            return world.list(Shop).every((owner) => world.list(ConfigMap).some((one) => isOwnedBy(one, owner)));
          }),
        ],
        operator: operator(
          () => async (owner, client) => {
            if (owner.metadata.deletionTimestamp) return;
            const { name } = owner.metadata;
            const wanted = child(owner, isDefective ? name.slice(0, 20) : name);
            const configMap = await ignoreNotFound(
              client.get(ConfigMap, { namespace, name: wanted.metadata?.name ?? "" }),
            );
            if (!configMap) return client.create(wanted);
            if (!isOwnedBy(configMap, owner)) {
              if (!isDefective) throw new Error("the ConfigMap belongs to a predecessor");
              return;
            }
            if (configMap.data?.text !== owner.spec.text) await client.update({ ...configMap, data: wanted.data });
          },
          { owns: [ConfigMap] },
        ),
      };
    },
  },
  {
    name: "same name in two namespaces",
    why: "the copies in the central namespace have the names of their owners only",
    simulation: (isDefective) => ({
      objects: [{ apiVersion: "v1", kind: "Namespace", metadata: { name: "team" } }],
      scenario: async (world) => {
        await world.client.create(shop());
        const second = shop("a", { text: "team" });
        await world.client.create({ ...second, metadata: { namespace: "team", name: "a" } });
        await world.settled();
        await world.client.delete(Shop, { namespace: "team", name: "a" });
        await world.settled();
        await world.client.delete(Shop, key);
      },
      operator: copying(async (owner, client) => {
        const { namespace: home = "", name, deletionTimestamp, finalizers } = owner.metadata;
        const place = { namespace: "kube-public", name: isDefective ? name : `${home}.${name}` };
        if (deletionTimestamp) {
          if (!finalizers?.includes(finalizer)) return;
          await ignoreNotFound(client.delete(ConfigMap, place));
          return removeFinalizer(owner, client);
        }
        await addFinalizer(owner, client);
        const data = { text: owner.spec.text ?? "" };
        const configMap = await ignoreNotFound(client.get(ConfigMap, place));
        if (!configMap) return client.create(ConfigMap, { metadata: place, data });
        if (configMap.data?.text !== data.text) await client.update({ ...configMap, data });
      }),
    }),
  },
  {
    name: "children counted by a label that others use",
    why: "the children of another object with the same label count too",
    simulation: (isDefective) => ({
      scenario: async (world) => {
        for (const name of ["a", "b"]) await world.client.create(shop(name, { size: 2 }));
        await world.settled();
        for (const name of ["a", "b"]) await world.client.delete(Shop, { namespace, name });
      },
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          const { items } = await client.list(ConfigMap, { namespace, labels: { app: "shop" } });
          const present = isDefective ? items : items.filter((one) => isOwnedBy(one, owner));
          for (let number = 0; number < (owner.spec.size ?? 1); number++) {
            if (isDefective && present.length + number >= (owner.spec.size ?? 1)) return;
            const wanted = child(owner, `${owner.metadata.name}-${number}`);
            if (present.some(({ metadata }) => metadata.name === wanted.metadata?.name)) continue;
            await ignoreAlreadyExists(
              client.create({ ...wanted, metadata: { ...wanted.metadata, labels: { app: "shop" } } }),
            );
          }
        },
        { owns: [ConfigMap] },
      ),
    }),
  },
  {
    name: "two versions at the same time",
    why: "the member with the new version starts before the one with the old version is gone",
    simulation: (isDefective) => ({
      faults: ["stale", "crash", "watch", "errors", "lost", "conflict", "time"],
      scenario: async (world) => {
        await world.client.create(shop());
        await world.settled();
        await world.client.patch(Shop, key, { spec: { text: "two" } });
        await world.settled();
        await world.client.delete(Shop, key);
      },
      invariants: [
        always("one version runs at a time", (world) => {
          return new Set(world.list(Pod).map(({ metadata }) => metadata.labels?.version)).size <= 1;
        }),
      ],
      operator: operator(
        () =>
          async (owner, client, _ctx, { apiReader }) => {
            if (owner.metadata.deletionTimestamp) return;
            const version = owner.spec.text ?? "";
            // After a restart, the cache can be of a time before the old member was created.
            const { items } = await apiReader.list(Pod, { namespace });
            const old = items.filter(({ metadata }) => metadata.labels?.version !== version);
            for (const { metadata } of old) {
              const { name, uid } = metadata;
              if (metadata.deletionTimestamp) continue;
              await ignoreNotFound(client.delete(Pod, { namespace, name }, { preconditions: { uid } }));
            }
            if (old.length > 0 && !isDefective) return;
            if (items.some(({ metadata }) => metadata.labels?.version === version)) return;
            const { metadata, ...rest } = podOf(owner);
            const labels = { shop: owner.metadata.name, version };
            await ignoreAlreadyExists(
              client.create({ ...rest, metadata: { ...metadata, name: `a-${version}`, labels } }),
            );
          },
        { owns: [Pod] },
      ),
    }),
  },
];
