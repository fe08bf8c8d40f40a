import {
  asReconciler,
  groupVersion,
  ignoreAlreadyExists,
  ignoreNotFound,
  type Kind,
  type KubernetesObject,
  type Manager,
  newControllerManagedBy,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import { Job } from "@kubewright/runtime/api/batch/v1";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { eventually, type World } from "@kubewright/runtime/simulation";
import { type Case, definition } from "../lib.ts";

/** A backup that runs every ten minutes. */
interface Backup extends KubernetesObject {
  spec: { image: string; keep?: number; suspended?: boolean };
  status?: { phase?: string; last?: number; runs?: number };
}

const Backup: Kind<Backup> = groupVersion("schedules.test", "v1").kind<Backup>("Backup");
const crds = [definition("schedules.test", "Backup", "backups")];
const namespace = "default";
const key = { namespace, name: "db" };
const backup: Backup = {
  apiVersion: "schedules.test/v1",
  kind: "Backup",
  metadata: { ...key },
  spec: { image: "backup:1", keep: 2 },
};
const interval = 600_000;

/** Number of the interval in which a time is. */
const slotOf = (time: number): number => Math.floor(time / interval);

async function life(world: World): Promise<void> {
  await world.client.create(structuredClone(backup));
  await world.settled();
  await world.client.patch(Backup, key, { spec: { image: "backup:2" } });
  await world.settled();
  await world.client.delete(Backup, key);
}

function jobOf(owner: Stored<Backup>, name: string): Job {
  const { image } = owner.spec;
  const object: Job = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { namespace, name, labels: { image: image.replace(":", "-") } },
    spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "backup", image }] } } },
  };
  setControllerReference(owner, object);
  return object;
}

function isOf(owner: Stored<Backup>, { metadata }: KubernetesObject): boolean {
  return metadata?.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) ?? false;
}

async function run(mgr: Manager, reconcile: (owner: Stored<Backup>) => Promise<unknown>): Promise<void> {
  await newControllerManagedBy(mgr)
    .for(Backup)
    .owns(Job)
    .owns(ConfigMap)
    .complete(
      asReconciler(mgr.client, Backup, {
        reconcile: async (_ctx, owner) => {
          if (owner.metadata.deletionTimestamp) return {};
          return ((await reconcile(owner)) ?? {}) as object;
        },
      }),
    );
}

async function setStatus(mgr: Manager, owner: Stored<Backup>, status: Backup["status"]): Promise<void> {
  if (JSON.stringify(owner.status) === JSON.stringify(status)) return;
  await mgr.client.status.update({ ...owner, status });
}

/** Defects of operators with Jobs and schedules. */
export const schedules: readonly Case[] = [
  {
    name: "readiness of a Job's active Pods",
    why: "a fast Job is never seen with an active Pod, so the phase never becomes Running",
    simulation: (isDefective) => ({
      crds,
      scenario: life,
      operator: (mgr) =>
        run(mgr, async (owner) => {
          const name = `db-${owner.spec.image.replace(":", "-")}`;
          const job = await ignoreNotFound(mgr.client.get(Job, { namespace, name }));
          if (job && !isOf(owner, job)) throw new Error("the Job of a predecessor is being deleted");
          if (!job) return mgr.client.create(jobOf(owner, name));
          const { active = 0, succeeded = 0 } = job.status ?? {};
          const { phase } = owner.status ?? {};
          if (active > 0) return setStatus(mgr, owner, { phase: `Running ${name}` });
          // The defective operator needs to have seen each state before the next one.
          if (succeeded > 0 && (!isDefective || phase === `Running ${name}`)) {
            await setStatus(mgr, owner, { phase: `Complete ${name}` });
          }
        }),
    }),
  },
  {
    name: "interval that begins with the process",
    why: "each restart postpones the backup, so an operator that restarts often never makes one",
    simulation: (isDefective) => ({
      crds,
      scenario: async (world) => {
        await world.client.create(structuredClone(backup));
        for (let count = 0; count < 5; count++) {
          await world.advance(interval / 2 + 30_000);
          await world.restart();
        }
        await world.advance(60_000);
        await world.client.patch(Backup, key, { spec: { suspended: true } });
        await world.settled();
        await world.client.delete(Backup, key);
      },
      invariants: [
        eventually("a backup was made", (world) => {
          const stored = world.object(Backup, key);
          return !stored || (stored.status?.last ?? 0) > 0;
        }),
      ],
      faults: ["crash", "watch", "conflict", "lost", "errors", "replicas"],
      operator: (mgr) => {
        const started = new Map<string, number>();
        return run(mgr, async (owner) => {
          if (owner.spec.suspended) return;
          const { uid, creationTimestamp = "" } = owner.metadata;
          const now = Date.now();
          if (!started.has(uid)) started.set(uid, now);
          const from = isDefective
            ? (started.get(uid) ?? now)
            : (owner.status?.last ?? 0) || Date.parse(creationTimestamp);
          if (now < from + interval) return { requeueAfter: from + interval - now };
          started.set(uid, now);
          await setStatus(mgr, owner, { last: now });
          return { requeueAfter: interval };
        });
      },
    }),
  },
  {
    name: "schedule missed during downtime",
    why: "the operator acts only if a reconcile happens in the minute of the schedule",
    simulation: (isDefective) => {
      let due = 0;
      return {
        crds,
        scenario: async (world) => {
          due = 0;
          await world.client.create(structuredClone(backup));
          await world.settled();
          await world.advance(2 * interval);
          due = slotOf(Date.parse(world.object(Backup, key)?.metadata.creationTimestamp ?? "")) + 1;
          await world.client.patch(Backup, key, { spec: { suspended: true } });
          await world.settled();
          await world.client.delete(Backup, key);
        },
        faults: ["crash", "time", "stale", "watch", "errors", "conflict", "lost"],
        invariants: [
          eventually("the backup of the first interval was made", (world) => {
            const stored = world.object(Backup, key);
            return !stored || due === 0 || (stored.status?.last ?? 0) >= 1;
          }),
        ],
        operator: (mgr) =>
          run(mgr, async (owner) => {
            const now = Date.now();
            const first = (slotOf(Date.parse(owner.metadata.creationTimestamp ?? "")) + 1) * interval;
            if (owner.status?.last === 1) return;
            if (now < first) return { requeueAfter: first - now };
            const sinceSlot = now - slotOf(now) * interval;
            if (isDefective && sinceSlot >= 5000) return { requeueAfter: interval - sinceSlot };
            if (isDefective && owner.spec.suspended) return;
            await setStatus(mgr, owner, { last: 1 });
          }),
      };
    },
  },
  {
    name: "Jobs that nothing removes",
    why: "the limit of the history counts the Jobs of the current image only",
    simulation: (isDefective) => ({
      crds,
      scenario: async (world) => {
        await world.client.create(structuredClone(backup));
        for (const image of ["backup:2", "backup:3", "backup:4"]) {
          await world.settled();
          await world.client.patch(Backup, key, { spec: { image } });
        }
        await world.settled();
        await world.client.delete(Backup, key);
      },
      invariants: [
        eventually("at most three Jobs remain", (world) => !world.object(Backup, key) || world.list(Job).length <= 3),
      ],
      operator: (mgr) =>
        run(mgr, async (owner) => {
          const { image, keep = 2 } = owner.spec;
          const name = `db-${image.replace(":", "-")}`;
          const { items } = await mgr.client.list(Job, { namespace });
          const own = items.filter((job) => isOf(owner, job));
          if (!own.some(({ metadata }) => metadata.name === name)) {
            // After a restart, the cache can have an earlier image, whose Job was removed.
            const now = await ignoreNotFound(mgr.apiReader.get(Backup, key));
            if (now?.spec.image !== image) return;
            const stored = await ignoreNotFound(mgr.apiReader.get(Job, { namespace, name }));
            if (stored && !isOf(owner, stored)) throw new Error("the Job of a predecessor is being deleted");
            await ignoreAlreadyExists(mgr.client.create(jobOf(owner, name)));
          }
          const older = own
            .filter(({ metadata }) => metadata.name !== name)
            .filter(({ metadata }) => !isDefective || metadata.labels?.image === image.replace(":", "-"))
            .sort((one, two) => (one.metadata.name < two.metadata.name ? 1 : -1));
          for (const { metadata } of older.slice(keep)) {
            const options = { preconditions: { uid: metadata.uid }, propagationPolicy: "Background" } as const;
            await ignoreNotFound(mgr.client.delete(Job, { namespace, name: metadata.name }, options));
          }
        }),
    }),
  },
  {
    name: "hash of the settings missing in the child",
    why: "the child stays the same when its settings change, so nothing restarts with the new ones",
    simulation: (isDefective) => ({
      crds,
      scenario: life,
      invariants: [
        eventually("the last Job has run with the present image", (world) => {
          const backup = world.object(Backup, key);
          if (!backup) return true;
          return world.list(Job).some(({ spec }) => spec?.template.spec?.containers[0]?.image === backup.spec.image);
        }),
      ],
      operator: (mgr) =>
        run(mgr, async (owner) => {
          const name = isDefective ? "db" : `db-${owner.spec.image.replace(":", "-")}`;
          const job = await ignoreNotFound(mgr.client.get(Job, { namespace, name }));
          if (!job) return mgr.client.create(jobOf(owner, name));
          if (!isOf(owner, job)) throw new Error("the Job of a predecessor is being deleted");
        }),
    }),
  },
];
