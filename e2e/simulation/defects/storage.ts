import {
  addFinalizer,
  createOrUpdate,
  ignoreAlreadyExists,
  ignoreNotFound,
  type Manager,
  type Result,
  removeFinalizer,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import { StatefulSet } from "@kubewright/runtime/api/apps/v1";
import { PersistentVolumeClaim, Pod } from "@kubewright/runtime/api/core/v1";
import { always, eventually } from "@kubewright/runtime/simulation";
import type { Case } from "../lib.ts";
import { crds, isDeleted, key, lifeOf, manage, namespace, Store, store } from "../stores.ts";

const finalizer = "stores.test/volumes";

function labelsOf(owner: Stored<Store>): Record<string, string> {
  return { store: owner.metadata.name };
}

/** The claims of members belong to no owner: they must survive the StatefulSet. */
function claimOf(owner: Stored<Store>, number: number): PersistentVolumeClaim {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      namespace,
      name: `data-${owner.metadata.name}-${number}`,
      labels: { ...labelsOf(owner), uid: owner.metadata.uid },
    },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  };
}

function numberOf({ metadata }: { metadata: { name: string } }): number {
  return Number(metadata.name.slice(metadata.name.lastIndexOf("-") + 1));
}

async function syncSet(mgr: Manager, owner: Stored<Store>, replicas: number): Promise<Stored<StatefulSet>> {
  const set: StatefulSet = {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { ...key },
    spec: {
      serviceName: owner.metadata.name,
      selector: { matchLabels: labelsOf(owner) },
      template: { metadata: { labels: labelsOf(owner) }, spec: { containers: [{ name: "db", image: "db" }] } },
    },
  };
  await createOrUpdate(mgr.client, set, (object) => {
    setControllerReference(owner, object);
    object.spec.replicas = replicas;
  });
  return set as Stored<StatefulSet>;
}

/** Creates the claims of all members. */
async function createClaims(mgr: Manager, owner: Stored<Store>): Promise<void> {
  for (let number = 0; number < owner.spec.members; number++) {
    const claim = claimOf(owner, number);
    await ignoreAlreadyExists(mgr.client.create(claim));
    const { namespace = "", name = "" } = claim.metadata ?? {};
    const stored = await mgr.apiReader.get(PersistentVolumeClaim, { namespace, name });
    if (isDeleted(stored)) throw new Error(`claim ${name}: still being deleted`);
  }
}

/** Deletes the claims with a number from `from` on. Reads from the server, because data can't be restored. */
async function deleteClaims(mgr: Manager, labels: Record<string, string>, from = 0): Promise<number> {
  const { items } = await mgr.apiReader.list(PersistentVolumeClaim, { namespace, labels });
  const surplus = items.filter((claim) => numberOf(claim) >= from && !isDeleted(claim));
  for (const claim of surplus) {
    await ignoreNotFound(mgr.client.delete(claim, { preconditions: { uid: claim.metadata.uid } }));
  }
  return surplus.length;
}

async function cleanUp(mgr: Manager, owner: Stored<Store>, labels: Record<string, string>): Promise<Result> {
  await deleteClaims(mgr, labels);
  const { items } = await mgr.apiReader.list(PersistentVolumeClaim, { namespace, labels });
  // The event of a claim that the cache has never contained doesn't arrive.
  if (items.length > 0) return { requeueAfter: 5000 };
  if (removeFinalizer(owner, finalizer)) await mgr.client.update(owner);
  return {};
}

async function protect(mgr: Manager, owner: Stored<Store>): Promise<Stored<Store>> {
  return addFinalizer(owner, finalizer) ? mgr.client.update(owner) : owner;
}

function podOf(owner: Stored<Store>, number: number): Pod {
  const object: Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace, name: `${owner.metadata.name}-${number}`, labels: labelsOf(owner) },
    spec: { containers: [{ name: "db", image: owner.spec.image ?? "db" }] },
  };
  setControllerReference(owner, object);
  return object;
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
}

/** Defects of operators that care about data. */
export const storage: readonly Case[] = [
  {
    name: "claims that only the second step removes",
    why: "a crash between the scale down and the note about it leaves the claims of the removed members",
    simulation: (isDefective) => ({
      crds,
      scenario: lifeOf(store({ members: 3 }), { spec: { members: 1 } }, { spec: { members: 2 } }),
      operator: async (mgr) => {
        await manage(mgr, { owned: [StatefulSet], labeled: [PersistentVolumeClaim] }, async (stored) => {
          if (isDeleted(stored)) return cleanUp(mgr, stored, labelsOf(stored));
          const owner = await protect(mgr, stored);
          const { members } = owner.spec;
          const { removing } = owner.status ?? {};
          if (isDefective && removing !== undefined) {
            await deleteClaims(mgr, labelsOf(owner), removing);
            await mgr.client.status.update({ ...owner, status: {} });
            return undefined;
          }
          await createClaims(mgr, owner);
          const before = await ignoreNotFound(mgr.client.get(StatefulSet, key));
          await syncSet(mgr, owner, members);
          if (!isDefective) {
            // A cache that lags behind has the wrong number.
            const current = await ignoreNotFound(mgr.apiReader.get(Store, key));
            if (current?.metadata.uid !== owner.metadata.uid || current.spec.members !== members) return undefined;
            await deleteClaims(mgr, labelsOf(owner), members);
          } else if ((before?.spec?.replicas ?? 0) > members) {
            await mgr.client.status.update({ ...owner, status: { removing: members } });
          }
        });
      },
    }),
  },
  {
    name: "claims of a successor with the same name",
    why: "an old list shows the deletion of the previous store, and the claims are found by its name",
    simulation: (isDefective) => {
      const uids = new Map<string, string>();
      return {
        crds,
        faults: ["stale", "crash", "watch", "time", "errors", "lost", "conflict", "replicas"],
        scenario: async ({ client, settled }) => {
          uids.clear();
          for (let times = 0; times < 2; times++) {
            await client.create(store({ members: 2 }));
            await settled();
            if (times === 0) await client.delete(Store, key);
            await settled();
          }
          await settled();
        },
        invariants: [
          eventually("claims belong to the store", (world) => {
            const owner = world.object(Store, key);
            const claims = world.list(PersistentVolumeClaim);
            return !owner || claims.every(({ metadata }) => metadata.labels?.uid === owner.metadata.uid);
          }),
          always("a claim isn't replaced", (world) =>
            world.list(PersistentVolumeClaim).every(({ metadata }) => {
              const owner = world.object(Store, key);
              if (metadata.labels?.uid !== owner?.metadata.uid) return true;
              const id = `${owner?.metadata.uid} ${metadata.name}`;
              const first = uids.get(id) ?? metadata.uid;
              uids.set(id, first);
              return first === metadata.uid;
            }),
          ),
        ],
        operator: async (mgr) => {
          await manage(mgr, { labeled: [PersistentVolumeClaim] }, async (stored) => {
            const { uid } = stored.metadata;
            if (isDeleted(stored)) return cleanUp(mgr, stored, isDefective ? labelsOf(stored) : { uid });
            const owner = await protect(mgr, stored);
            await createClaims(mgr, owner);
            if (owner.status?.members !== 2) await mgr.client.status.update({ ...owner, status: { members: 2 } });
          });
        },
      };
    },
  },
  {
    name: "all members restarted at once",
    why: "the operator deletes each Pod with an old image, so the cluster loses its quorum",
    simulation: (isDefective) => ({
      crds,
      scenario: lifeOf(store({ members: 3, image: "db:1" }), { spec: { image: "db:2" } }),
      invariants: [
        always("a majority of the members exists during an update", (world) => {
          const owner = world.object(Store, key);
          if (!owner || isDeleted(owner) || owner.status?.phase !== "Running") return true;
          return world.list(Pod).filter((pod) => !isDeleted(pod)).length >= 2;
        }),
        eventually("all members have the image of the store", (world) => {
          const image = world.object(Store, key)?.spec.image;
          return !image || world.list(Pod).every(({ spec }) => spec?.containers[0]?.image === image);
        }),
      ],
      operator: async (mgr) => {
        await manage(mgr, { owned: [Pod] }, async (owner) => {
          if (isDeleted(owner)) return;
          const { items } = await mgr.apiReader.list(Pod, { namespace, labels: labelsOf(owner) });
          for (let number = 0; number < owner.spec.members; number++) {
            const pod = podOf(owner, number);
            if (items.some(({ metadata }) => metadata.name === pod.metadata?.name)) continue;
            await ignoreAlreadyExists(mgr.client.create(pod));
          }
          const own = items.filter(({ metadata }) =>
            metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid),
          );
          const areReady = own.length === owner.spec.members && own.every((pod) => isReady(pod) && !isDeleted(pod));
          if (areReady && owner.status?.phase !== "Running") {
            await mgr.client.status.update({ ...owner, status: { phase: "Running" } });
            return;
          }
          const outdated = own.filter(({ spec }) => spec?.containers[0]?.image !== owner.spec.image);
          for (const pod of isDefective ? outdated : areReady ? outdated.slice(0, 1) : []) {
            await ignoreNotFound(mgr.client.delete(pod, { preconditions: { uid: pod.metadata.uid } }));
          }
        });
      },
    }),
  },
];
