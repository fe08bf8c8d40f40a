import {
  addFinalizer,
  asReconciler,
  enqueueRequestsFromMapFunc,
  getControllerOf,
  groupVersion,
  hasOwnerReference,
  ignoreNotFound,
  isInvalid,
  type Kind,
  type KubernetesObject,
  type Manager,
  mergeFrom,
  newControllerManagedBy,
  removeFinalizer,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import { StatefulSet } from "@kubewright/runtime/api/apps/v1";
import { ConfigMap, Namespace } from "@kubewright/runtime/api/core/v1";
import { always, eventually, type World } from "@kubewright/runtime/simulation";
import { type Case, definition } from "../lib.ts";

interface Queue extends KubernetesObject {
  spec: { storage?: string; image?: string; class?: string; selector?: string };
  status?: { ready?: boolean };
}

const Queue: Kind<Queue> = groupVersion("claims.test", "v1").kind<Queue>("Queue");
const Team: Kind<Queue> = groupVersion("claims.test", "v1").kind<Queue>("Team");
const crds = [definition("claims.test", "Queue", "queues"), definition("claims.test", "Team", "teams", "Cluster")];
const namespace = "default";
const key = { namespace, name: "mail" };
const other = { namespace, name: "news" };
const finalizer = "claims.test/children";

function queue(name = "mail", spec: Queue["spec"] = {}): Queue {
  return {
    apiVersion: "claims.test/v1",
    kind: "Queue",
    metadata: { namespace, name },
    spec: { storage: "1Gi", image: "queue:1", class: "fast", ...spec },
  };
}

async function addFinalizerTo<T extends KubernetesObject>(
  mgr: Manager,
  object: Stored<T>,
  name = finalizer,
): Promise<void> {
  const copy = structuredClone(object);
  if (addFinalizer(copy, name)) await mgr.client.patch(copy, mergeFrom(object, { optimisticLock: true }));
}

async function removeFinalizerFrom<T extends KubernetesObject>(
  mgr: Manager,
  object: Stored<T>,
  name = finalizer,
): Promise<void> {
  const copy = structuredClone(object);
  if (removeFinalizer(copy, name)) await mgr.client.patch(copy, mergeFrom(object, { optimisticLock: true }));
}

/** Defects of operators that own, adopt and release children. */
export const claims: readonly Case[] = [
  {
    name: "child that waits for the end of its owner",
    why: "a deletion in the foreground waits for the child, and the child's finalizer for the owner",
    simulation: (isDefective) => ({
      crds,
      scenario: async (world) => {
        await world.client.create(queue());
        await world.settled();
        await world.client.delete(Queue, key, { propagationPolicy: "Foreground" });
        await world.settled();
      },
      faults: ["stale", "crash", "watch", "errors", "lost", "conflict", "gc"],
      operator: async (mgr) => {
        await newControllerManagedBy(mgr)
          .for(Queue)
          .owns(ConfigMap)
          .complete({
            async reconcile(_ctx, request) {
              const stored = await ignoreNotFound(mgr.client.get(Queue, request));
              const child = await ignoreNotFound(mgr.client.get(ConfigMap, request));
              const isGone = !stored || (!isDefective && stored.metadata.deletionTimestamp !== undefined);
              if (child && (isGone || !hasOwnerReference(stored, child))) {
                await removeFinalizerFrom(mgr, child);
                if (!child.metadata.deletionTimestamp && !isGone) throw new Error("the child of a predecessor");
                return;
              }
              if (!stored || isGone || stored.metadata.deletionTimestamp) return;
              if (child) return addFinalizerTo(mgr, child);
              const wanted: ConfigMap = {
                apiVersion: "v1",
                kind: "ConfigMap",
                metadata: { ...key, finalizers: [finalizer] },
              };
              setControllerReference(stored, wanted);
              await mgr.client.create(wanted);
            },
          });
      },
    }),
  },
  {
    name: "adoption of another owner's child",
    why: "the label matches, and the operator doesn't look at the present owner",
    simulation: (isDefective) => ({
      crds,
      scenario: async (world) => {
        await world.client.create(queue("mail", { selector: "blue" }));
        await world.client.create(ConfigMap, { metadata: { namespace, name: "topic", labels: { color: "blue" } } });
        await world.settled();
        await world.client.create(queue("news", { selector: "blue" }));
        await world.settled();
        await world.client.delete(Queue, other);
        await world.settled();
      },
      faults: ["stale", "crash", "watch", "errors", "lost", "conflict"],
      operator: async (mgr) => {
        const toAll = enqueueRequestsFromMapFunc<ConfigMap>(async () => {
          const { items } = await mgr.client.list(Queue, { namespace });
          return items.map(({ metadata }) => ({ namespace, name: metadata.name }));
        });
        await newControllerManagedBy(mgr)
          .for(Queue)
          .watches(ConfigMap, toAll)
          .complete(
            asReconciler(mgr.client, Queue, {
              reconcile: async (_ctx, stored) => {
                if (stored.metadata.deletionTimestamp || !stored.spec.selector) return;
                const labels = { color: stored.spec.selector };
                const { items } = await mgr.client.list(ConfigMap, { namespace, labels });
                for (const item of items) {
                  const controller = getControllerOf(item);
                  if (controller && (controller.uid === stored.metadata.uid || !isDefective)) continue;
                  const copy = structuredClone(item);
                  copy.metadata.ownerReferences = [];
                  setControllerReference(stored, copy);
                  await mgr.client.patch(copy, mergeFrom(item, { optimisticLock: true }));
                }
              },
            }),
          );
      },
    }),
  },
  {
    name: "rejected update treated as done",
    why: "the storage of a StatefulSet is immutable, and the operator ignores the error of the server",
    simulation: (isDefective) => ({
      crds,
      scenario: async (world) => {
        await world.client.create(queue());
        await world.settled();
        await world.client.patch(Queue, key, { spec: { storage: "5Gi" } });
        await world.settled();
        await world.client.delete(Queue, key);
      },
      invariants: [
        eventually("new members have the storage of the Queue", (world) => {
          const current = world.object(Queue, key);
          const set = world.object(StatefulSet, key);
          const [template] = set?.spec?.volumeClaimTemplates ?? [];
          return !current?.status?.ready || template?.spec?.resources?.requests?.storage === current.spec.storage;
        }),
      ],
      operator: async (mgr) => {
        await newControllerManagedBy(mgr)
          .for(Queue)
          .owns(StatefulSet)
          .complete(
            asReconciler(mgr.client, Queue, {
              reconcile: async (_ctx, current) => {
                if (current.metadata.deletionTimestamp) return {};
                const labels = { queue: key.name };
                const wanted: StatefulSet = {
                  apiVersion: "apps/v1",
                  kind: "StatefulSet",
                  metadata: { ...key },
                  spec: {
                    serviceName: key.name,
                    selector: { matchLabels: labels },
                    template: {
                      metadata: { labels },
                      spec: { containers: [{ name: "queue", image: current.spec.image ?? "queue" }] },
                    },
                    volumeClaimTemplates: [
                      {
                        apiVersion: "v1",
                        kind: "PersistentVolumeClaim",
                        metadata: { name: "data" },
                        spec: {
                          accessModes: ["ReadWriteOnce"],
                          resources: { requests: { storage: current.spec.storage ?? "1Gi" } },
                        },
                      },
                    ],
                  },
                };
                setControllerReference(current, wanted);
                const existing = await ignoreNotFound(mgr.client.get(StatefulSet, key));
                if (existing?.metadata.deletionTimestamp || (existing && !hasOwnerReference(current, existing))) {
                  return { requeueAfter: 1000 };
                }
                let stored: Stored<StatefulSet>;
                try {
                  stored = await mgr.client.apply(wanted, { fieldOwner: "queues", force: true });
                } catch (error) {
                  if (!isInvalid(error) || !existing) throw error;
                  if (isDefective) stored = existing;
                  else {
                    // The Pods and volumes stay.
                    const preconditions = { uid: existing.metadata.uid };
                    await mgr.client.delete(existing, { propagationPolicy: "Orphan", preconditions });
                    return { requeueAfter: 1000 };
                  }
                }
                const ready = (stored.status?.readyReplicas ?? 0) > 0;
                if (ready !== (current.status?.ready ?? false))
                  await mgr.client.status.update({ ...current, status: { ready } });
                return {};
              },
            }),
          );
      },
    }),
  },
  {
    name: "Namespace that is ending treated as existing",
    why: "the new team uses the Namespace of the old one, which disappears with everything in it",
    simulation: (isDefective) => ({
      crds,
      // Nothing watches the settings, so they must not be deleted by hand.
      faults: ["stale", "crash", "watch", "errors", "lost", "conflict", "gc"],
      scenario: async (world) => {
        const team = { apiVersion: "claims.test/v1", kind: "Team", metadata: { name: "red" }, spec: { image: "one" } };
        await world.client.create(structuredClone(team));
        await world.settled();
        await world.client.delete(Team, { name: "red" });
        while (world.object(Team, { name: "red" })) await world.advance(500);
        await world.client.create({ ...structuredClone(team), spec: { image: "two" } });
        await world.settled();
        await world.client.delete(Team, { name: "red" });
        await world.settled();
      },
      invariants: [
        eventually("a ready team has its settings", (world) => {
          const stored = world.object(Team, { name: "red" });
          const settings = world.object(ConfigMap, { namespace: "team-red", name: "settings" });
          return !stored?.status?.ready || settings?.data?.image === stored.spec.image;
        }),
      ],
      operator: async (mgr) => {
        await newControllerManagedBy(mgr)
          .for(Team)
          .complete(
            asReconciler(mgr.client, Team, {
              reconcile: async (_ctx, stored) => {
                const space = await ignoreNotFound(mgr.client.get(Namespace, { name: "team-red" }));
                if (stored.metadata.deletionTimestamp) {
                  if (!isDefective && space) {
                    if (!space.metadata.deletionTimestamp) await ignoreNotFound(mgr.client.delete(space));
                    return { requeueAfter: 2000 };
                  }
                  if (space) await ignoreNotFound(mgr.client.delete(space));
                  await removeFinalizerFrom(mgr, stored);
                  return {};
                }
                await addFinalizerTo(mgr, stored);
                if (!space) await mgr.client.create(Namespace, { metadata: { name: "team-red" } });
                else if (!isDefective && space.metadata.deletionTimestamp) return { requeueAfter: 2000 };
                const place = { namespace: "team-red", name: "settings" };
                const settings = await ignoreNotFound(mgr.client.get(ConfigMap, place));
                const data = { image: stored.spec.image ?? "" };
                if (!settings) await mgr.client.create(ConfigMap, { metadata: place, data });
                else if (settings.data?.image !== data.image) await mgr.client.update({ ...settings, data });
                const status = { ready: true };
                const before = await mgr.client.get(Team, { name: "red" });
                if (!before.status?.ready) await mgr.client.status.update({ ...before, status });
                return {};
              },
            }),
          );
      },
    }),
  },
  {
    name: "object that is handed over to another class",
    why: "the operator ignores objects of other classes, also those that still have its finalizer and child",
    simulation: (isDefective) => ({
      crds,
      // Nothing watches the child, so it must not be deleted by hand.
      faults: ["stale", "crash", "watch", "time", "errors", "lost", "conflict", "replicas", "recreate"],
      scenario: async (world: World) => {
        await world.client.create(queue());
        await world.settled();
        await world.client.patch(Queue, key, { spec: { class: "slow" } });
        await world.settled();
        await world.client.delete(Queue, key);
        await world.settled();
      },
      operator: async (mgr) => {
        await newControllerManagedBy(mgr)
          .for(Queue)
          .complete(
            asReconciler(mgr.client, Queue, {
              reconcile: async (_ctx, stored) => {
                const { deletionTimestamp, finalizers = [], uid } = stored.metadata;
                const isMine = stored.spec.class === "fast";
                const place = { namespace: "kube-public", name: `queue-${uid.slice(0, 8)}` };
                if (isDefective && !isMine) return;
                if (deletionTimestamp || !isMine) {
                  if (!finalizers.includes(finalizer)) return;
                  await ignoreNotFound(mgr.client.delete(ConfigMap, place));
                  await removeFinalizerFrom(mgr, stored);
                  return;
                }
                if (!finalizers.includes(finalizer)) return addFinalizerTo(mgr, stored);
                const existing = await ignoreNotFound(mgr.client.get(ConfigMap, place));
                if (!existing) await mgr.client.create(ConfigMap, { metadata: place });
              },
            }),
          );
      },
    }),
  },
  {
    name: "copy that stays in a Namespace without the label",
    why: "the operator copies to the Namespaces that match, and doesn't look at the others",
    simulation: (isDefective) => ({
      crds,
      objects: [
        { apiVersion: "v1", kind: "Namespace", metadata: { name: "one", labels: { mail: "yes" } } },
        { apiVersion: "v1", kind: "Namespace", metadata: { name: "two", labels: { mail: "yes" } } },
      ] as never,
      scenario: async (world) => {
        await world.client.create({
          apiVersion: "claims.test/v1",
          kind: "Team",
          metadata: { name: "red" },
          spec: { image: "one" },
        });
        await world.settled();
        await world.client.patch(Namespace, { name: "two" }, { metadata: { labels: { mail: null } } });
        await world.settled();
        await world.client.delete(Team, { name: "red" });
        await world.settled();
      },
      invariants: [
        always(
          "the default Namespace has no copy",
          (world) => !world.object(ConfigMap, { namespace, name: "team-red" }),
        ),
        eventually("a Namespace without the label has no copy", (world) => {
          return world.list(ConfigMap).every(({ metadata }) => {
            const space = world.object(Namespace, { name: metadata.namespace ?? "" });
            return metadata.name !== "team-red" || space?.metadata.labels?.mail === "yes";
          });
        }),
      ],
      operator: async (mgr) => {
        const toTeams = enqueueRequestsFromMapFunc<Namespace>(async () => {
          const { items } = await mgr.client.list(Team);
          return items.map(({ metadata }) => ({ namespace: "", name: metadata.name }));
        });
        await newControllerManagedBy(mgr)
          .for(Team)
          .owns(ConfigMap)
          .watches(Namespace, toTeams)
          .complete(
            asReconciler(mgr.client, Team, {
              reconcile: async (_ctx, team) => {
                if (team.metadata.deletionTimestamp) return;
                const spaces = await mgr.client.list(Namespace, isDefective ? { labels: { mail: "yes" } } : {});
                for (const { metadata } of spaces.items) {
                  if (metadata.deletionTimestamp) continue;
                  const place = { namespace: metadata.name, name: `team-${team.metadata.name}` };
                  const copy = await ignoreNotFound(mgr.client.get(ConfigMap, place));
                  const isMine = copy !== undefined && hasOwnerReference(team, copy);
                  if (metadata.labels?.mail !== "yes") {
                    if (isMine) await ignoreNotFound(mgr.client.delete(copy));
                    continue;
                  }
                  if (isMine) continue;
                  if (copy) throw new Error("the copy of a predecessor still exists");
                  const wanted: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: place };
                  setControllerReference(team, wanted);
                  await mgr.client.create(wanted);
                }
              },
            }),
          );
      },
    }),
  },
];
