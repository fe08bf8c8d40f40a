import {
  addFinalizer,
  createOrUpdate,
  enqueueRequestsFromMapFunc,
  ignoreNotFound,
  newControllerManagedBy,
  removeFinalizer,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { eventually, type World } from "@kubewright/runtime/simulation";
import type { Case } from "../lib.ts";
import { crds, isDeleted, key, lifeOf, manage, namespace, Store, store } from "../stores.ts";

const finalizer = "stores.test/users";
const life = lifeOf(store({ members: 1 }), { spec: { members: 2 } }, { spec: { members: 3 } });

const hasMembers = eventually("the settings contain the number of members", (world) => {
  const [owner, settings] = [world.object(Store, key), world.object(ConfigMap, key)];
  return !owner || settings?.data?.members === String(owner.spec.members);
});

function settingsOf({ metadata }: Stored<Store>): ConfigMap {
  const { namespace, name } = metadata;
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name } };
}

function fill(owner: Stored<Store>): (object: ConfigMap) => void {
  return (object) => {
    setControllerReference(owner, object);
    object.data = { ...object.data, members: String(owner.spec.members) };
  };
}

/** An account service whose lists have at most two items. */
class Accounts {
  readonly users = new Map<number, string>();
  #ids = 0;

  async page(token = 0): Promise<{ items: [number, string][]; next: number | undefined }> {
    const all = [...this.users];
    const next = token + 2 < all.length ? token + 2 : undefined;
    return { items: all.slice(token, token + 2), next };
  }

  async add(name: string): Promise<void> {
    this.users.set(++this.#ids, name);
  }

  async remove(id: number): Promise<void> {
    this.users.delete(id);
  }
}

async function usersOf(accounts: Accounts, allPages: boolean): Promise<[number, string][]> {
  const users: [number, string][] = [];
  let token: number | undefined = 0;
  do {
    const { items, next }: Awaited<ReturnType<Accounts["page"]>> = await accounts.page(token);
    users.push(...items);
    token = allPages ? next : undefined;
  } while (token !== undefined);
  return users;
}

/** Defects of operators that skip a request. */
export const requests: readonly Case[] = [
  {
    name: "resource versions compared as texts",
    why: "100 comes before 99, so the predicate drops a change",
    simulation: (isDefective) => ({
      crds,
      scenario: life,
      invariants: [hasMembers],
      operator: async (mgr) => {
        const isNewer = (one = "", other = ""): boolean => (isDefective ? one > other : one !== other);
        await newControllerManagedBy(mgr)
          .for(Store, {
            predicates: [
              {
                update: ({ oldObject, object }) =>
                  isNewer(object.metadata?.resourceVersion, oldObject.metadata?.resourceVersion),
              },
            ],
          })
          .owns(ConfigMap)
          .complete({
            async reconcile(_ctx, request) {
              const owner = await ignoreNotFound(mgr.client.get(Store, request));
              if (owner && !isDeleted(owner)) await createOrUpdate(mgr.client, settingsOf(owner), fill(owner));
            },
          });
      },
    }),
  },
  {
    name: "lock that an error keeps",
    why: "the operator marks the object as busy, and an error skips the line that removes the mark",
    simulation: (isDefective) => ({
      crds,
      scenario: life,
      operator: async (mgr) => {
        const busy = new Set<string>();
        await manage(mgr, { owned: [ConfigMap] }, async (owner) => {
          const { uid } = owner.metadata;
          if (isDeleted(owner) || busy.has(uid)) return;
          busy.add(uid);
          try {
            await createOrUpdate(mgr.client, settingsOf(owner), fill(owner));
            if (isDefective) busy.delete(uid);
          } finally {
            if (!isDefective) busy.delete(uid);
          }
        });
      },
    }),
  },
  {
    name: "requests that come too soon",
    why: "the operator skips a request within a minute of the last one, and never comes back to it",
    simulation: (isDefective) => ({
      crds,
      scenario: life,
      operator: async (mgr) => {
        const last = new Map<string, number>();
        await manage(mgr, { owned: [ConfigMap] }, async (owner) => {
          if (isDeleted(owner)) return;
          const wait = (last.get(owner.metadata.uid) ?? 0) + 60_000 - Date.now();
          if (wait > 0) return isDefective ? undefined : { requeueAfter: wait };
          await createOrUpdate(mgr.client, settingsOf(owner), fill(owner));
          last.set(owner.metadata.uid, Date.now());
          return undefined;
        });
      },
    }),
  },
  {
    name: "child's event for the wrong namespace",
    why: "the children are in another namespace, and the request has the namespace of the child",
    simulation: (isDefective) => {
      const place = { namespace: "kube-public", name: "main-settings" };
      const copyOf = (): ConfigMap => ({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { ...place, labels: { "stores.test/name": key.name, "stores.test/namespace": namespace } },
      });
      return {
        crds,
        scenario: life,
        operator: async (mgr) => {
          const { client } = mgr;
          const toStore = enqueueRequestsFromMapFunc((_ctx, { metadata }) => {
            const { "stores.test/name": name, "stores.test/namespace": home } = metadata?.labels ?? {};
            if (name === undefined || home === undefined) return [];
            return [{ namespace: isDefective ? (metadata?.namespace ?? "") : home, name }];
          });
          await newControllerManagedBy(mgr)
            .for(Store)
            .watches(ConfigMap, toStore)
            .complete({
              async reconcile(_ctx, request) {
                const store = await ignoreNotFound(client.get(Store, request));
                if (!store) return;
                if (isDeleted(store)) {
                  await ignoreNotFound(client.delete(copyOf()));
                  if (removeFinalizer(store, finalizer)) await client.update(store);
                  return;
                }
                const owner = addFinalizer(store, finalizer) ? await client.update(store) : store;
                await createOrUpdate(client, copyOf(), (object) => {
                  const { labels } = copyOf().metadata ?? {};
                  object.metadata = { ...object.metadata, labels: { ...object.metadata?.labels, ...labels } };
                  object.data = { ...object.data, members: String(owner.spec.members) };
                });
              },
            });
        },
      };
    },
  },
  {
    name: "first page of an external list",
    why: "an account on the second page looks as if it didn't exist, and is created again",
    simulation: (isDefective) => ({
      crds,
      external: () => new Accounts(),
      scenario: lifeOf(
        store({ members: 1, users: ["ann"] }),
        { spec: { users: ["ann", "bob", "eve"] } },
        { spec: { users: ["ann", "bob", "eve"], members: 2 } },
      ),
      operator: async (mgr, world: World) => {
        const accounts = world.external as Accounts;
        await manage(mgr, {}, async (stored) => {
          const present = await usersOf(accounts, !isDefective);
          if (isDeleted(stored)) {
            for (const [id] of await usersOf(accounts, true)) await accounts.remove(id);
            if (removeFinalizer(stored, finalizer)) await mgr.client.update(stored);
            return;
          }
          const owner = addFinalizer(stored, finalizer) ? await mgr.client.update(stored) : stored;
          const users = owner.spec.users ?? [];
          for (const name of users) if (!present.some(([, one]) => one === name)) await accounts.add(name);
          for (const [id, name] of present) if (!users.includes(name)) await accounts.remove(id);
        });
      },
    }),
  },
];
