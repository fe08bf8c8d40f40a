import {
  addFinalizer,
  asReconciler,
  createOrUpdate,
  groupVersion,
  ignoreNotFound,
  type Kind,
  type KubernetesObject,
  mergeFrom,
  newControllerManagedBy,
  objectKeyFromObject,
  removeFinalizer,
  type Stored,
  setControllerReference,
  setOwnerReference,
} from "@kubewright/runtime";
import { Lease } from "@kubewright/runtime/api/coordination/v1";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { always, eventually, type World } from "@kubewright/runtime/simulation";
import { type Case, definition } from "../lib.ts";

/** A change of a database schema. Only one may run at a time. */
interface Migration extends KubernetesObject {
  spec: { version: number; shards?: number };
  status?: { applied?: number };
}

const Migration: Kind<Migration> = groupVersion("locks.test", "v1").kind<Migration>("Migration");
const crds = [definition("locks.test", "Migration", "migrations")];
const namespace = "default";
const finalizer = "locks.test/runs";
const lockKey = { namespace, name: "schema-lock" };

function migration(name: string, version = 1): Migration {
  return {
    apiVersion: "locks.test/v1",
    kind: "Migration",
    metadata: { namespace, name },
    spec: { version, shards: 3 },
  };
}

async function twoMigrations(world: World): Promise<void> {
  await world.client.create(migration("users"));
  await world.client.create(migration("orders"));
  await world.settled();
  await world.client.patch(Migration, { namespace, name: "users" }, { spec: { version: 2, shards: 4 } });
  await world.client.patch(Migration, { namespace, name: "orders" }, { spec: { version: 2 } });
  await world.settled();
  await world.client.delete(Migration, { namespace, name: "orders" });
  await world.settled();
  await world.client.delete(Migration, { namespace, name: "users" });
}

/** A database that notices two migrations at the same time. */
class Database {
  readonly versions = new Map<string, number>();
  running = "";
  overlaps = 0;

  async begin(name: string): Promise<void> {
    if (this.running !== "" && this.running !== name) this.overlaps++;
    this.running = name;
  }

  async end(name: string, version: number): Promise<void> {
    if (this.running === name) this.running = "";
    this.versions.set(name, version);
  }
}

/** Defects of locks and counters that operators keep by themselves. */
export const locks: readonly Case[] = [
  {
    name: "lock of a process that is gone",
    why: "the holder is a random number of the process, and after a crash the lock is never released",
    simulation: (isDefective) => ({
      crds,
      scenario: twoMigrations,
      operator: async (mgr) => {
        const identity = crypto.randomUUID();
        await newControllerManagedBy(mgr)
          .for(Migration)
          .complete(
            asReconciler(mgr.client, Migration, {
              reconcile: async (_ctx, migration) => {
                if (migration.metadata.deletionTimestamp || migration.status?.applied === migration.spec.version)
                  return {};
                const holder = isDefective ? identity : `${migration.metadata.name}`;
                const lock = await ignoreNotFound(mgr.apiReader.get(Lease, lockKey));
                let held: Stored<Lease>;
                if (!lock) {
                  held = await mgr.client.create(Lease, {
                    metadata: { ...lockKey },
                    spec: { holderIdentity: holder },
                  });
                } else if (!lock.spec?.holderIdentity || lock.spec.holderIdentity === holder) {
                  held = await mgr.client.update({ ...lock, spec: { holderIdentity: holder } });
                } else {
                  const other = await ignoreNotFound(
                    mgr.apiReader.get(Migration, { namespace, name: lock.spec.holderIdentity }),
                  );
                  // A crash can keep the lock of a migration that is done.
                  if (isDefective || (other && other.status?.applied !== other.spec.version))
                    return { requeueAfter: 5_000 };
                  held = await mgr.client.update({ ...lock, spec: { holderIdentity: holder } });
                }
                await mgr.client.status.update({ ...migration, status: { applied: migration.spec.version } });
                await mgr.client.delete(held, { preconditions: { uid: held.metadata.uid } });
                return {};
              },
            }),
          );
      },
    }),
  },
  {
    name: "lock that is taken without its resource version",
    why: "two workers read a free lock, and both patch it",
    simulation: (isDefective) => {
      const database = new Database();
      return {
        crds,
        external: database as never,
        objects: [{ apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { ...lockKey } }],
        scenario: twoMigrations,
        invariants: [always("one migration at a time", () => database.overlaps === 0)],
        operator: async (mgr) => {
          await newControllerManagedBy(mgr)
            .for(Migration)
            .withOptions({ maxConcurrentReconciles: 2 })
            .complete(
              asReconciler(mgr.client, Migration, {
                reconcile: async (_ctx, { metadata: { name } }) => {
                  // The cache can be behind, and a Migration that is gone must not begin.
                  let migration = await ignoreNotFound(mgr.apiReader.get(Migration, { namespace, name }));
                  if (!migration) return {};
                  const isEnding = migration.metadata.deletionTimestamp !== undefined;
                  // Without the finalizer, others would take the lock of a Migration that is deleted while it runs.
                  if (!isEnding && addFinalizer(migration, finalizer)) migration = await mgr.client.update(migration);
                  const { spec, status } = migration;
                  const lock = await mgr.apiReader.get(Lease, lockKey);
                  const holder = lock.spec?.holderIdentity ?? "";
                  if (isEnding || status?.applied === spec.version) {
                    if (holder === name) {
                      await database.end(name, spec.version);
                      await mgr.client.patch(
                        { ...lock, spec: { holderIdentity: "" } },
                        mergeFrom(lock, { optimisticLock: true }),
                      );
                    }
                    if (isEnding && removeFinalizer(migration, finalizer)) await mgr.client.update(migration);
                    return {};
                  }
                  if (holder !== "" && holder !== name) return { requeueAfter: 1_000 };
                  const taken = await mgr.client.patch(
                    { ...lock, spec: { holderIdentity: name } },
                    mergeFrom(lock, { optimisticLock: !isDefective }),
                  );
                  await database.begin(name);
                  await database.end(name, spec.version);
                  await mgr.client.status.update({ ...migration, status: { applied: spec.version } });
                  await mgr.client.patch(
                    { ...taken, spec: { holderIdentity: "" } },
                    mergeFrom(taken, { optimisticLock: true }),
                  );
                  return {};
                },
              }),
            );
        },
      };
    },
  },
  {
    name: "expectation that a failed create leaves behind",
    why: "the controller waits for the event of an object that was never created",
    simulation: (isDefective) => ({
      crds,
      scenario: twoMigrations,
      operator: async (mgr) => {
        const expected = new Map<string, { names: Set<string>; until: number }>();
        await newControllerManagedBy(mgr)
          .for(Migration)
          .owns(ConfigMap)
          .complete(
            asReconciler(mgr.client, Migration, {
              reconcile: async (_ctx, migration) => {
                if (migration.metadata.deletionTimestamp) return {};
                const { uid, name } = migration.metadata;
                const { names: waiting, until } = expected.get(uid) ?? { names: new Set<string>(), until: 0 };
                const { items } = await mgr.client.list(ConfigMap, { namespace, labels: { migration: name } });
                const mine = items.filter((item) => item.metadata.ownerReferences?.some((ref) => ref.uid === uid));
                for (const item of mine) waiting.delete(item.metadata.name);
                // The events of an object that was deleted at once may never come.
                if (waiting.size > 0 && (isDefective || Date.now() < until)) return { requeueAfter: 60_000 };
                waiting.clear();
                expected.set(uid, { names: waiting, until: Date.now() + 60_000 });
                for (let shard = 0; shard < (migration.spec.shards ?? 0); shard++) {
                  const shardName = `${name}-${uid.slice(0, 8)}-${shard}`;
                  if (mine.some((item) => item.metadata.name === shardName)) continue;
                  const object: ConfigMap = {
                    apiVersion: "v1",
                    kind: "ConfigMap",
                    metadata: { namespace, name: shardName, labels: { migration: name } },
                  };
                  setControllerReference(migration, object);
                  waiting.add(shardName);
                  try {
                    await mgr.client.create(object);
                  } catch (error) {
                    if (!isDefective) waiting.delete(shardName);
                    throw error;
                  }
                }
                return waiting.size > 0 ? { requeueAfter: 60_000 } : {};
              },
            }),
          );
      },
    }),
  },
  {
    name: "number of users in an annotation",
    why: "a repeated reconcile counts the same user again, so the shared object is never deleted",
    simulation: (isDefective) => ({
      crds,
      scenario: twoMigrations,
      faults: ["stale", "crash", "watch", "time", "errors", "lost", "conflict", "replicas"],
      invariants: [
        eventually("the shared settings exist only while they are used", (world) => {
          return (
            world.list(Migration).length > 0 || world.list(ConfigMap).every((map) => map.metadata.name !== "schema")
          );
        }),
      ],
      operator: async (mgr) => {
        const finalizer = "locks.test/settings";
        const shared = { namespace, name: "schema" };
        await newControllerManagedBy(mgr)
          .for(Migration)
          .complete(
            asReconciler(mgr.client, Migration, {
              reconcile: async (_ctx, migration) => {
                const { uid, finalizers = [], deletionTimestamp } = migration.metadata;
                const settings = await ignoreNotFound(mgr.apiReader.get(ConfigMap, shared));
                const users = (settings?.data?.users ?? "").split(",").filter(Boolean);
                const save = async (next: string[]): Promise<void> => {
                  if (!settings) {
                    if (next.length > 0)
                      await mgr.client.create(ConfigMap, { metadata: { ...shared }, data: { users: next.join() } });
                  } else if (next.length === 0) {
                    const { uid: settingsUid, resourceVersion } = settings.metadata;
                    await mgr.client.delete(settings, { preconditions: { uid: settingsUid, resourceVersion } });
                  } else await mgr.client.update({ ...settings, data: { users: next.join() } });
                };
                if (deletionTimestamp) {
                  if (!finalizers.includes(finalizer)) return;
                  if (isDefective) await save(users.slice(1));
                  else if (users.includes(uid)) await save(users.filter((user) => user !== uid));
                  const rest = finalizers.filter((name) => name !== finalizer);
                  await mgr.client.update({ ...migration, metadata: { ...migration.metadata, finalizers: rest } });
                  return;
                }
                if (finalizers.includes(finalizer) && (isDefective || users.includes(uid))) return;
                // The defective operator only counts: it can't see who is counted already.
                if (isDefective) await save([...users, "x"]);
                else if (!finalizers.includes(finalizer)) {
                  await mgr.client.update({
                    ...migration,
                    metadata: { ...migration.metadata, finalizers: [...finalizers, finalizer] },
                  });
                  return;
                } else await save([...users, uid]);
                if (isDefective) {
                  await mgr.client.update({
                    ...migration,
                    metadata: { ...migration.metadata, finalizers: [...finalizers, finalizer] },
                  });
                }
              },
            }),
          );
      },
    }),
  },
  {
    name: "owner added to a list without its resource version",
    why: "two objects share a child, each patches the list of owners, and the reference of the first one is lost",
    simulation: (isDefective) => ({
      crds,
      scenario: twoMigrations,
      invariants: [
        eventually("the shared plan exists while somebody needs it", (world) => {
          const plan = world.object(ConfigMap, { namespace, name: "plan" });
          return (
            world.list(Migration).length === 0 ||
            world
              .list(Migration)
              .every(({ metadata }) => plan?.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid))
          );
        }),
      ],
      operator: async (mgr) => {
        const plan = { namespace, name: "plan" };
        await newControllerManagedBy(mgr)
          .for(Migration)
          .owns(ConfigMap, { matchEveryOwner: !isDefective })
          .withOptions({ maxConcurrentReconciles: 2 })
          .complete(
            asReconciler(mgr.client, Migration, {
              reconcile: async (_ctx, migration) => {
                if (migration.metadata.deletionTimestamp) return;
                const wanted: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { ...plan } };
                if (!isDefective) {
                  await createOrUpdate(mgr.client, wanted, (object) => setOwnerReference(migration, object));
                  return;
                }
                const existing = await ignoreNotFound(mgr.client.get(ConfigMap, objectKeyFromObject(wanted)));
                if (!existing) {
                  setOwnerReference(migration, wanted);
                  await mgr.client.create(wanted);
                  return;
                }
                const changed = structuredClone(existing);
                setOwnerReference(migration, changed);
                await mgr.client.patch(changed, mergeFrom(existing));
              },
            }),
          );
      },
    }),
  },
];
