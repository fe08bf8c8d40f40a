import { ignoreNotFound, setControllerReference } from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { always, eventually, type World } from "@kubewright/runtime/simulation";
import {
  addFinalizer,
  type Case,
  child,
  finalizer,
  key,
  lifeOfShop,
  operator,
  other,
  removeFinalizer,
  Shop,
  setStatus,
  shop,
  syncChild,
} from "../lib.ts";

const owns = [ConfigMap];
const namespace = "default";

/** Returns the children of the shop as the server has them. */
function childrenOf(world: World, name = key.name) {
  const uid = world.object(Shop, { namespace, name })?.metadata.uid;
  return world.list(ConfigMap).filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid));
}

/** Defects in the life of children: replacement, renames, time limits, deletion. */
export const lifecycle: readonly Case[] = [
  {
    name: "update of an immutable child",
    why: "the server rejects the update, and the operator repeats it forever",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      invariants: [
        eventually("the ConfigMap has the text", (world) => {
          const shop = world.object(Shop, key);
          return !shop || world.object(ConfigMap, key)?.data?.text === shop.spec.text;
        }),
      ],
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          const wanted = { ...child(owner), immutable: true };
          const configMap = await ignoreNotFound(client.get(ConfigMap, key));
          if (!configMap) return client.create(wanted);
          const isOwn = configMap.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid);
          if (isOwn && configMap.data?.text === wanted.data?.text) return;
          if (isDefective) return client.update({ ...configMap, data: wanted.data });
          // The event of the deletion causes the next attempt.
          await client.delete(configMap, { preconditions: { uid: configMap.metadata.uid } });
        },
        { owns },
      ),
    }),
  },
  {
    name: "child that stays under its old name",
    why: "the name depends on the spec, and nothing removes the child of the old spec",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      invariants: [eventually("one ConfigMap per Shop", (world) => childrenOf(world).length <= 1)],
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          const wanted = `a-${owner.spec.text}`;
          await syncChild(owner, client, wanted);
          if (isDefective) return;
          const { items } = await client.list(ConfigMap, { namespace });
          for (const { metadata } of items) {
            const isOwn = metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid);
            if (!isOwn || metadata.name === wanted) continue;
            const { uid, name } = metadata;
            await ignoreNotFound(client.delete(ConfigMap, { namespace, name }, { preconditions: { uid } }));
          }
        },
        { owns },
      ),
    }),
  },
  {
    name: "time limit that only the creation starts",
    why: "a new process finds the child and doesn't plan its end",
    simulation: (isDefective) => ({
      faults: ["crash", "stale", "replicas", "lost", "errors"],
      scenario: async (world) => {
        await world.client.create(shop());
        await world.settled();
        await world.client.delete(Shop, key);
      },
      invariants: [
        eventually(
          "the ConfigMap doesn't outlive its time",
          (world) => !world.object(Shop, key) || !world.object(ConfigMap, key),
        ),
      ],
      operator: operator(
        () => async (owner, client) => {
          const isOver = owner.status?.phase === "over";
          if (owner.metadata.deletionTimestamp) return;
          const configMap = await ignoreNotFound(client.get(ConfigMap, key));
          if (!configMap && isOver) return;
          const present = configMap ?? (await client.create(child(owner)));
          if (isDefective && configMap && Date.now() < endOf(present)) return;
          const left = endOf(present) - Date.now();
          if (!isOver && left > 0) return { requeueAfter: left };
          await setStatus(owner, client, { phase: "over" });
          await ignoreNotFound(client.delete(present, { preconditions: { uid: present.metadata.uid } }));
        },
        { owns },
      ),
    }),
  },
  {
    name: "old child deleted before the new one exists",
    why: "a crash in between leaves users without any child",
    simulation: (isDefective) => {
      let hadChild = false;
      return {
        faults: ["crash", "stale", "lost", "errors", "conflict", "watch", "time"],
        scenario: async (world) => {
          hadChild = false;
          await lifeOfShop(world);
        },
        invariants: [
          always("a Shop that had a ConfigMap has one", (world) => {
            if (!world.object(Shop, key)) return true;
            const { length } = childrenOf(world);
            hadChild ||= length > 0;
            return length > 0 || !hadChild;
          }),
        ],
        operator: operator(
          () => async (owner, client) => {
            if (owner.metadata.deletionTimestamp) return;
            const wanted = `a-${owner.spec.text}`;
            const { items } = await client.list(ConfigMap, { namespace });
            const own = items.filter(({ metadata }) =>
              metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid),
            );
            const present = own.find(({ metadata }) => metadata.name === wanted);
            // The twin deletes only in a reconcile that has seen the new child.
            if (!isDefective && !present) return syncChild(owner, client, wanted);
            for (const { metadata } of own) {
              if (metadata.name === wanted) continue;
              const { uid, name } = metadata;
              await ignoreNotFound(client.delete(ConfigMap, { namespace, name }, { preconditions: { uid } }));
            }
            await syncChild(owner, client, wanted);
          },
          { owns },
        ),
      };
    },
  },
  {
    name: "finalizer that waits for the garbage collector",
    why: "the child is deleted after its owner, and the owner waits for the child",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => async (owner, client) => {
          if (!owner.metadata.deletionTimestamp) {
            await syncChild(await addFinalizer(owner, client), client);
            return;
          }
          if (!owner.metadata.finalizers?.includes(finalizer)) return;
          const configMap = await ignoreNotFound(client.get(ConfigMap, key));
          if (!configMap) return removeFinalizer(owner, client);
          if (isDefective) return;
          await ignoreNotFound(client.delete(configMap, { preconditions: { uid: configMap.metadata.uid } }));
        },
        { owns },
      ),
    }),
  },
  {
    name: "existence kept in memory",
    why: "the process believes that the child exists, although somebody has deleted it",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => {
          const known = new Set<string>();
          return async (owner, client) => {
            const { uid, deletionTimestamp } = owner.metadata;
            if (deletionTimestamp) return;
            const id = `${uid} ${owner.spec.text}`;
            if (isDefective && known.has(id)) return;
            await syncChild(owner, client);
            known.add(id);
          };
        },
        { owns },
      ),
    }),
  },
  {
    name: "deletion of all children with the label of the application",
    why: "the selector matches the children of other objects too",
    simulation: (isDefective) => {
      let uid: string | undefined;
      return {
        faults: ["crash", "stale", "lost", "errors", "watch", "conflict"],
        scenario: async (world) => {
          uid = undefined;
          await world.client.create(shop("ab"));
          await world.settled();
          await lifeOfShop(world);
          await world.settled();
          await world.client.delete(Shop, other);
        },
        invariants: [
          always("the other Shop keeps its ConfigMap", (world) => {
            const owner = world.object(Shop, other);
            if (!owner || owner.metadata.deletionTimestamp) return true;
            const otherUid = world.object(ConfigMap, other)?.metadata.uid;
            uid ??= otherUid;
            return otherUid === uid;
          }),
        ],
        operator: operator(
          () => async (owner, client) => {
            const { name, deletionTimestamp, finalizers } = owner.metadata;
            const labels = { app: "shop", ...(isDefective ? {} : { shop: name }) };
            if (deletionTimestamp) {
              if (!finalizers?.includes(finalizer)) return;
              await client.deleteAllOf(ConfigMap, { namespace, labels });
              return removeFinalizer(owner, client);
            }
            await addFinalizer(owner, client);
            const configMap = await ignoreNotFound(client.get(ConfigMap, { namespace, name }));
            if (configMap) return;
            const wanted = child(owner);
            await client.create({ ...wanted, metadata: { ...wanted.metadata, labels: { app: "shop", shop: name } } });
          },
          { owns },
        ),
      };
    },
  },
  {
    name: "foreign object taken over",
    why: "the object of a user has the name of the child, and is deleted with the owner",
    simulation: (isDefective) => ({
      faults: ["crash", "stale", "lost", "errors", "watch", "conflict", "gc", "time", "replicas"],
      scenario: async (world) => {
        await world.client.create(ConfigMap, { metadata: { ...key }, data: { text: "of a user" } });
        await world.client.create(shop());
        await world.settled();
        await world.client.delete(Shop, key);
        await world.settled();
        await world.client.delete(ConfigMap, key);
      },
      invariants: [
        always("the ConfigMap of the user stays as it is", (world) => {
          const configMap = world.object(ConfigMap, key);
          return !configMap || (configMap.data?.text === "of a user" && !configMap.metadata.ownerReferences);
        }),
      ],
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          const configMap = await ignoreNotFound(client.get(ConfigMap, key));
          const isOwn = configMap?.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid);
          if (configMap && !isOwn && !isDefective) return setStatus(owner, client, { phase: "the name is taken" });
          if (!configMap) return client.create(child(owner));
          const next = { ...configMap, data: { text: owner.spec.text ?? "" } };
          setControllerReference(owner, next);
          await client.update(next);
        },
        { owns },
      ),
    }),
  },
];

/** Time at which a child ends. */
function endOf({ metadata }: { metadata: { creationTimestamp?: string } }): number {
  return Date.parse(metadata.creationTimestamp ?? "") + 60_000;
}
