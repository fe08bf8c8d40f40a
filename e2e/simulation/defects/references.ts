import {
  addFinalizer,
  containsFinalizer,
  createOrUpdate,
  enqueueRequestsFromMapFunc,
  getControllerOf,
  ignoreNotFound,
  newControllerManagedBy,
  removeFinalizer,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import { ConfigMap, Namespace, Secret } from "@kubewright/runtime/api/core/v1";
import { eventually, type World } from "@kubewright/runtime/simulation";
import type { Case } from "../lib.ts";
import { crds, isDeleted, key, lifeOf, manage, namespace, Store, store } from "../stores.ts";

const restart = "stores.test/restart";
const password = { namespace, name: "password" };
const life = lifeOf(store({ members: 1 }), { spec: { members: 2 } });

function settings(place: { namespace: string; name: string }): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { ...place } };
}

function secret(value: string): Secret {
  return { apiVersion: "v1", kind: "Secret", metadata: { ...password }, stringData: { value } };
}

/** Two stores use one Secret, which changes. */
async function rotate({ client, settled }: World): Promise<void> {
  await client.create(secret("one"));
  for (const name of ["main", "other"]) await client.create(store({ members: 1 }, { name }));
  await settled();
  await client.patch(Secret, password, { stringData: { value: "two" } });
  await settled();
  for (const name of ["main", "other"]) await client.delete(Store, { namespace, name });
  await settled();
}

/** Names members with more than one digit. */
function memberNames({ spec }: Store): string[] {
  return Array.from({ length: spec.members }, (_, index) => `main-${index}`);
}

/** Defects of operators that relate objects to each other. */
export const references: readonly Case[] = [
  {
    name: "change of a Secret that only one of its users sees",
    why: "the mapping from the Secret to its users returns the first one",
    simulation: (isDefective) => ({
      crds,
      scenario: rotate,
      invariants: [
        eventually("all stores use the present password", (world) => {
          const value = world.object(Secret, password)?.data?.value;
          return world.list(Store).every(({ metadata }) => {
            const used = world.object(ConfigMap, { namespace, name: metadata.name })?.data?.password;
            return used === value;
          });
        }),
      ],
      operator: async (mgr) => {
        const { client } = mgr;
        await newControllerManagedBy(mgr)
          .for(Store)
          .owns(ConfigMap)
          .watches(
            Secret,
            enqueueRequestsFromMapFunc(async (_ctx, { metadata }) => {
              if (metadata?.name !== password.name) return [];
              const { items } = await client.list(Store, { namespace });
              const users = items.map(({ metadata }) => ({ namespace, name: metadata.name }));
              return isDefective ? users.slice(0, 1) : users;
            }),
          )
          .complete({
            async reconcile(_ctx, request) {
              const owner = await ignoreNotFound(client.get(Store, request));
              if (!owner || isDeleted(owner)) return;
              const { data } = await client.get(Secret, password);
              await createOrUpdate(client, settings({ namespace, name: owner.metadata.name }), (object) => {
                setControllerReference(owner, object);
                object.data = { ...object.data, password: data?.value ?? "" };
              });
            },
          });
      },
    }),
  },
  {
    name: "restart that is counted before it is noted",
    why: "a crash between the two updates restarts the store again",
    simulation: (isDefective) => ({
      crds,
      scenario: lifeOf(store({ members: 1 }), { metadata: { annotations: { [restart]: "1" } } }),
      operator: async (mgr) => {
        await manage(mgr, {}, async (owner) => {
          const wanted = owner.metadata.annotations?.[restart];
          if (isDeleted(owner) || wanted === undefined || owner.status?.phase === wanted) return;
          const removing = (owner.status?.removing ?? 0) + 1;
          const counted = { ...owner.status, removing };
          if (!isDefective) {
            await mgr.client.status.update({ ...owner, status: { ...counted, phase: wanted } });
            return;
          }
          const updated = await mgr.client.status.update({ ...owner, status: counted });
          await mgr.client.status.update({ ...updated, status: { ...counted, phase: wanted } });
        });
      },
    }),
  },
  {
    name: "members sorted as texts",
    why: "main-10 comes before main-2, so scaling down removes the wrong member",
    simulation: (isDefective) => ({
      crds,
      scenario: lifeOf(store({ members: 11 }), { spec: { members: 10 } }),
      invariants: [
        eventually("the members have the first numbers", (world) => {
          const owner = world.object(Store, key);
          return !owner || memberNames(owner).every((name) => world.object(ConfigMap, { namespace, name }));
        }),
      ],
      operator: async (mgr) => {
        await manage(mgr, { owned: [ConfigMap] }, async (owner) => {
          if (isDeleted(owner)) return;
          const { items } = await mgr.client.list(ConfigMap, { namespace });
          const own = items.filter((one) => getControllerOf(one)?.uid === owner.metadata.uid && !isDeleted(one));
          const numberOf = ({ metadata }: Stored<ConfigMap>): number => Number(metadata.name.split("-")[1]);
          own.sort((one, other) =>
            isDefective ? (one.metadata.name < other.metadata.name ? -1 : 1) : numberOf(one) - numberOf(other),
          );
          if (own.length > owner.spec.members) {
            for (const { metadata } of own.slice(owner.spec.members)) {
              const { name, uid } = metadata;
              await ignoreNotFound(mgr.client.delete(ConfigMap, { namespace, name }, { preconditions: { uid } }));
            }
            return;
          }
          if (own.length === owner.spec.members && isDefective) return;
          for (const name of memberNames(owner)) {
            if (own.some(({ metadata }) => metadata.name === name)) continue;
            const object = settings({ namespace, name });
            setControllerReference(owner, object);
            await mgr.client.create(object);
          }
        });
      },
    }),
  },
  {
    name: "finalizers that wait for each other",
    why: "each controller cleans up only after the other one, so the deletion never ends",
    simulation: (isDefective) => ({
      crds,
      scenario: life,
      operator: async (mgr) => {
        const names = ["stores.test/backup", "stores.test/network"] as const;
        for (const [index, finalizer] of names.entries()) {
          const other = names[1 - index] as string;
          await newControllerManagedBy(mgr)
            .for(Store)
            .named(`part-${index}`)
            .complete({
              async reconcile(_ctx, request) {
                const store = await ignoreNotFound(mgr.client.get(Store, request));
                if (!store) return;
                if (!isDeleted(store)) {
                  if (addFinalizer(store, finalizer)) await mgr.client.update(store);
                  return;
                }
                const waits = isDefective || index === 1;
                if (waits && containsFinalizer(store, other)) return;
                if (removeFinalizer(store, finalizer)) await mgr.client.update(store);
              },
            });
        }
      },
    }),
  },
  {
    name: "namespace that is created later",
    why: "the operator copies the settings to the namespaces that exist at that time, and doesn't watch them",
    simulation: (isDefective) => {
      const isTeam = ({ metadata }: Namespace): boolean => metadata?.labels?.team !== undefined;
      const finalizer = "stores.test/copies";
      const team = (name: string): Namespace => ({
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name, labels: { team: name } },
      });
      return {
        crds,
        scenario: async ({ client, settled }) => {
          await client.create(team("red"));
          await client.create(store({ members: 1 }));
          await settled();
          await client.create(team("blue"));
          await settled();
          await client.delete(Store, key);
          await settled();
        },
        invariants: [
          eventually("each team has a copy", (world) => {
            if (!world.object(Store, key)) return true;
            const teams = world.list(Namespace).filter(isTeam);
            return teams.every(({ metadata }) => world.object(ConfigMap, { namespace: metadata.name, name: "copy" }));
          }),
        ],
        operator: async (mgr) => {
          const { client } = mgr;
          const builder = newControllerManagedBy(mgr)
            .for(Store)
            .watches(
              ConfigMap,
              enqueueRequestsFromMapFunc((_ctx, { metadata }) => (metadata?.name === "copy" ? [key] : [])),
            );
          if (!isDefective) {
            builder.watches(
              Namespace,
              enqueueRequestsFromMapFunc(() => [key]),
            );
          }
          await builder.complete({
            async reconcile(_ctx, request) {
              const stored = await ignoreNotFound(client.get(Store, request));
              if (!stored) return;
              const owner =
                !isDeleted(stored) && addFinalizer(stored, finalizer) ? await client.update(stored) : stored;
              // After a restart, the cache can be of a time before a namespace was created.
              const { items } = await (isDeleted(owner) ? mgr.apiReader : client).list(Namespace);
              for (const { metadata } of items.filter(isTeam)) {
                const copy = settings({ namespace: metadata.name, name: "copy" });
                if (isDeleted(owner)) await ignoreNotFound(client.delete(copy));
                else {
                  await createOrUpdate(client, copy, (object) => {
                    object.data = { ...object.data, from: "main" };
                  });
                }
              }
              if (isDeleted(owner) && removeFinalizer(owner, finalizer)) await client.update(owner);
            },
          });
        },
      };
    },
  },
  {
    name: "update that drops the owner",
    why: "the update replaces the metadata, so the child remains when its owner is deleted",
    simulation: (isDefective) => ({
      crds,
      scenario: life,
      operator: async (mgr) => {
        await manage(mgr, { owned: [ConfigMap] }, async (owner) => {
          if (isDeleted(owner)) return;
          const wanted = { ...settings(key), data: { members: String(owner.spec.members) } };
          setControllerReference(owner, wanted);
          const configMap = await ignoreNotFound(mgr.client.get(ConfigMap, key));
          if (!configMap) return void (await mgr.client.create(wanted));
          const isOwn = getControllerOf(configMap)?.uid === owner.metadata.uid;
          if (configMap.data?.members === wanted.data.members && (isOwn || isDefective)) return;
          const { resourceVersion } = configMap.metadata;
          const { ownerReferences } = wanted.metadata ?? {};
          const metadata = { ...key, resourceVersion, ...(isDefective ? {} : { ownerReferences }) };
          await mgr.client.update({ ...wanted, metadata });
        });
      },
    }),
  },
  {
    name: "status written with the object",
    why: "the server ignores the status of a normal update if it is a subresource",
    simulation: (isDefective) => ({
      crds,
      scenario: life,
      invariants: [
        eventually("the status has the number of members", (world) => {
          const owner = world.object(Store, key);
          return !owner || owner.status?.members === owner.spec.members;
        }),
      ],
      operator: async (mgr) => {
        await manage(mgr, {}, async (owner) => {
          const { members } = owner.spec;
          if (isDeleted(owner) || owner.status?.members === members) return;
          const next = { ...owner, status: { ...owner.status, members } };
          await (isDefective ? mgr.client.update(next) : mgr.client.status.update(next));
        });
      },
    }),
  },
];
