import {
  asReconciler,
  groupVersion,
  ignoreAlreadyExists,
  ignoreNotFound,
  type Kind,
  type KubernetesObject,
  newControllerManagedBy,
  patchStatus,
  setControllerReference,
  setStatusCondition,
} from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { Job } from "@kubewright/runtime/api/batch/v1";
import type { Condition } from "@kubewright/runtime/api/meta/v1";
import { always, eventually } from "@kubewright/runtime/simulation";
import { type Case, definition } from "../lib.ts";

interface Report extends KubernetesObject {
  spec: { image: string; everySeconds?: number; lifetimeSeconds?: number; hour?: number };
  status?: {
    operation?: string;
    phase?: string;
    image?: string;
    slot?: number;
    conditions?: Condition[];
  };
}

const Report: Kind<Report> = groupVersion("timers.test", "v1").kind<Report>("Report");
const crds = [definition("timers.test", "Report", "reports")];
const key = { namespace: "default", name: "sales" };

function report(spec: Partial<Report["spec"]> = {}): Report {
  return {
    apiVersion: "timers.test/v1",
    kind: "Report",
    metadata: { ...key },
    spec: { image: "report:1", ...spec },
  };
}

/** A provider whose operations take a minute. */
class Operations {
  readonly done = new Map<string, number>();
  readonly sent: string[] = [];

  async begin(name: string): Promise<string> {
    if (!this.done.has(name)) this.done.set(name, Date.now() + 60_000);
    return name;
  }

  async isDone(name: string): Promise<boolean> {
    return (this.done.get(name) ?? Number.POSITIVE_INFINITY) <= Date.now();
  }

  async forget(name: string): Promise<void> {
    this.done.delete(name);
  }

  async send(id: string): Promise<void> {
    this.sent.push(id);
  }

  async sendOnce(id: string): Promise<void> {
    if (!this.sent.includes(id)) this.sent.push(id);
  }
}

/** Defects of operators that wait, poll, or act at certain times. */
export const timers: readonly Case[] = [
  {
    name: "operation that only its beginning polls",
    why: "a new process finds the operation in progress, and never asks for its result",
    simulation: (isDefective) => {
      const operations = new Operations();
      return {
        crds,
        external: operations as never,
        scenario: async (world) => {
          await world.client.create(report());
          await world.advance(120_000);
          await world.settled();
          await world.client.delete(Report, key);
        },
        operator: async (mgr) => {
          await newControllerManagedBy(mgr)
            .for(Report)
            .complete(
              asReconciler(mgr.client, Report, {
                reconcile: async (_ctx, stored) => {
                  if (stored.metadata.deletionTimestamp || stored.status?.phase === "Ready") return {};
                  const { operation } = stored.status ?? {};
                  if (!operation) {
                    const id = await operations.begin(stored.metadata.uid);
                    await patchStatus(mgr.client, stored, (copy) => {
                      copy.status = { ...copy.status, phase: "Creating", operation: id };
                    });
                    return { requeueAfter: 61_000 };
                  }
                  if (!(await operations.isDone(operation))) return isDefective ? {} : { requeueAfter: 10_000 };
                  await patchStatus(mgr.client, stored, (copy) => {
                    copy.status = { ...copy.status, phase: "Ready" };
                  });
                  return {};
                },
              }),
            );
        },
      };
    },
  },
  {
    name: "Job that is started again after its time to live",
    why: "the cluster deletes a finished Job, and the operator takes it for one that never ran",
    simulation: (isDefective) => ({
      crds,
      scenario: async (world) => {
        await world.client.create(report());
        await world.settled();
        await world.client.patch(Report, key, { spec: { image: "report:2" } });
        await world.settled();
        await world.client.delete(Report, key);
      },
      operator: async (mgr) => {
        await newControllerManagedBy(mgr)
          .for(Report)
          .owns(Job)
          .complete(
            asReconciler(mgr.client, Report, {
              reconcile: async (_ctx, stored) => {
                const { image } = stored.spec;
                if (stored.metadata.deletionTimestamp) return;
                if (!isDefective && stored.status?.image === image) return;
                const name = `${key.name}-${image.replace(":", "-")}`;
                const job = await ignoreNotFound(mgr.client.get(Job, { namespace: key.namespace, name }));
                if (job && !job.metadata.ownerReferences?.some(({ uid }) => uid === stored.metadata.uid)) {
                  throw new Error("wait for the end of the old Job");
                }
                if (!job) {
                  const wanted: Job = {
                    apiVersion: "batch/v1",
                    kind: "Job",
                    metadata: { namespace: key.namespace, name },
                    spec: {
                      ttlSecondsAfterFinished: 30,
                      template: { spec: { restartPolicy: "Never", containers: [{ name: "report", image }] } },
                    },
                  };
                  setControllerReference(stored, wanted);
                  await ignoreAlreadyExists(mgr.client.create(wanted));
                  return;
                }
                if ((job.status?.succeeded ?? 0) === 0 || stored.status?.image === image) return;
                await patchStatus(mgr.client, stored, (copy) => {
                  copy.status = { ...copy.status, phase: "Complete", image };
                });
              },
            }),
          );
      },
    }),
  },
  {
    name: "report that is sent again for the same hour",
    why: "the time of the last report is stored after sending it, and the provider can't recognize a repetition",
    simulation: (isDefective) => {
      const operations = new Operations();
      return {
        crds,
        external: operations as never,
        scenario: async (world) => {
          await world.client.create(report({ everySeconds: 3600 }));
          await world.advance(4 * 3_600_000);
          await world.client.delete(Report, key);
        },
        invariants: [always("one report an hour", () => new Set(operations.sent).size === operations.sent.length)],
        operator: async (mgr) => {
          await newControllerManagedBy(mgr)
            .for(Report)
            .complete(
              asReconciler(mgr.client, Report, {
                reconcile: async (_ctx, stored) => {
                  if (stored.metadata.deletionTimestamp) return {};
                  const every = (stored.spec.everySeconds ?? 60) * 1000;
                  const slot = Math.floor(Date.now() / every);
                  const next = { requeueAfter: (slot + 1) * every - Date.now() };
                  if ((stored.status?.slot ?? 0) >= slot) return next;
                  const id = `${stored.metadata.uid}/${slot}`;
                  if (isDefective) await operations.send(id);
                  else await operations.sendOnce(id);
                  await patchStatus(mgr.client, stored, (copy) => {
                    copy.status = { ...copy.status, slot };
                  });
                  return next;
                },
              }),
            );
        },
      };
    },
  },
  {
    name: "time limit that begins with the creation",
    why: "an update of an old object counts as late at once, and the failure stays",
    simulation: (isDefective) => ({
      crds,
      scenario: async (world) => {
        await world.client.create(report());
        await world.settled();
        await world.advance(3_600_000);
        await world.client.patch(Report, key, { spec: { image: "report:2" } });
        await world.settled();
        await world.client.delete(Report, key);
      },
      faults: ["stale", "crash", "watch", "conflict", "lost", "errors"],
      invariants: [
        eventually("the roll-out succeeds", (world) => {
          const current = world.object(Report, key);
          return !current || current.status?.phase === "Ready";
        }),
      ],
      operator: async (mgr) => {
        const limit = 600_000;
        await newControllerManagedBy(mgr)
          .for(Report)
          .owns(Deployment)
          .complete(
            asReconciler(mgr.client, Report, {
              reconcile: async (_ctx, current) => {
                const { image } = current.spec;
                if (current.metadata.deletionTimestamp) return {};
                const labels = { app: key.name };
                const wanted: Deployment = {
                  apiVersion: "apps/v1",
                  kind: "Deployment",
                  metadata: { ...key },
                  spec: {
                    selector: { matchLabels: labels },
                    template: { metadata: { labels }, spec: { containers: [{ name: "web", image }] } },
                  },
                };
                setControllerReference(current, wanted);
                const stored = await mgr.client.apply(wanted, { fieldOwner: "reports", force: true });
                const {
                  observedGeneration = 0,
                  availableReplicas = 0,
                  updatedReplicas = 0,
                  replicas = 0,
                } = stored.status ?? {};
                const isReady =
                  observedGeneration === stored.metadata.generation &&
                  updatedReplicas === 1 &&
                  availableReplicas === 1 &&
                  replicas === 1;
                const progressing = current.status?.conditions?.find(({ type }) => type === "Progressing");
                const since = isDefective ? current.metadata.creationTimestamp : progressing?.lastTransitionTime;
                const isLate = since !== undefined && Date.now() - Date.parse(since) > limit;
                const hasFailed = isDefective && current.status?.phase === "Failed";
                const phase =
                  hasFailed || (!isReady && isLate && (isDefective || progressing?.status === "True"))
                    ? "Failed"
                    : isReady
                      ? "Ready"
                      : "Progressing";
                await patchStatus(mgr.client, current, (copy) => {
                  copy.status = { ...copy.status, phase };
                  setStatusCondition(copy, {
                    type: "Progressing",
                    status: isReady ? "False" : "True",
                    reason: isReady ? "Available" : "RollingOut",
                    message: "",
                  });
                });
                return phase === "Progressing" ? { requeueAfter: 30_000 } : {};
              },
            }),
          );
      },
    }),
  },
  {
    name: "window that is already over today",
    why: "the time until its beginning is negative, so nothing runs tomorrow",
    simulation: (isDefective) => {
      const operations = new Operations();
      return {
        crds,
        external: operations as never,
        scenario: async (world) => {
          await world.advance(5 * 3_600_000);
          await world.client.create(report({ hour: 2 }));
          await world.advance(48 * 3_600_000);
          await world.settled();
          await world.client.delete(Report, key);
        },
        invariants: [
          eventually("each report is sent within a day", (world) => {
            const stored = world.object(Report, key);
            return !stored || operations.sent.length > 0;
          }),
        ],
        faults: ["stale", "crash", "watch", "conflict", "lost", "errors"],
        operator: async (mgr) => {
          await newControllerManagedBy(mgr)
            .for(Report)
            .complete(
              asReconciler(mgr.client, Report, {
                reconcile: async (_ctx, stored) => {
                  if (stored.metadata.deletionTimestamp || stored.status?.phase === "Sent") return {};
                  const { hour = 0 } = stored.spec;
                  const now = new Date();
                  if (now.getUTCHours() === hour) {
                    await operations.sendOnce(stored.metadata.uid);
                    await patchStatus(mgr.client, stored, (copy) => {
                      copy.status = { ...copy.status, phase: "Sent" };
                    });
                    return {};
                  }
                  const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour);
                  let wait = start - now.getTime();
                  if (!isDefective && wait < 0) wait += 24 * 3_600_000;
                  return wait > 0 ? { requeueAfter: wait } : {};
                },
              }),
            );
        },
      };
    },
  },
  {
    name: "successor of an expired object",
    why: "the age is that of the cached object, and the deletion hits the new object of the same name",
    simulation: (isDefective) => {
      return {
        crds,
        scenario: async (world) => {
          await world.client.create(report({ lifetimeSeconds: 60 }));
          await world.advance(59_000 + Math.floor(world.random() * 1200));
          const old = world.object(Report, key);
          if (old) await world.client.delete(Report, key);
          await world.client.create(report({ image: "report:2" }));
          await world.settled();
        },
        invariants: [
          eventually("an object without a lifetime stays", (world) => world.object(Report, key) !== undefined),
        ],
        faults: ["stale", "crash", "watch", "time", "lost", "errors"],
        operator: async (mgr) => {
          await newControllerManagedBy(mgr)
            .for(Report)
            .complete(
              asReconciler(mgr.client, Report, {
                reconcile: async (_ctx, stored) => {
                  const { lifetimeSeconds } = stored.spec;
                  if (!lifetimeSeconds || stored.metadata.deletionTimestamp) return {};
                  const end = Date.parse(stored.metadata.creationTimestamp ?? "") + lifetimeSeconds * 1000;
                  if (Date.now() < end) return { requeueAfter: end - Date.now() };
                  const preconditions = { uid: stored.metadata.uid };
                  await ignoreNotFound(mgr.client.delete(Report, key, isDefective ? {} : { preconditions }));
                  return {};
                },
              }),
            );
        },
      };
    },
  },
];
