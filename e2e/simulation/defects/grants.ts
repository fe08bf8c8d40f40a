import {
  asReconciler,
  enqueueRequestsFromMapFunc,
  generationChangedPredicate,
  hasOwnerReference,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  patchStatus,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { ConfigMap, Pod, Secret } from "@kubewright/runtime/api/core/v1";
import { eventually } from "@kubewright/runtime/simulation";
import type { Case } from "../lib.ts";
import { crds, Grant, key, namespace, Route, route } from "../routes.ts";

const shared = { namespace: "kube-public", name: "wildcard" };

function secret(value: string): Secret {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { ...shared },
    data: { cert: Buffer.from(value).toString("base64") },
  };
}

/** Creates the copy of a Secret, or brings it up to date. */
async function copySecret(mgr: Manager, owner: Stored<Route>, source: Secret): Promise<void> {
  const copy = await ignoreNotFound(mgr.client.get(Secret, { namespace, name: owner.metadata.name }));
  if (!copy) {
    const wanted: Secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace, name: owner.metadata.name },
      data: source.data ?? {},
    };
    setControllerReference(owner, wanted);
    await mgr.client.create(wanted);
    return;
  }
  if (!hasOwnerReference(owner, copy)) throw new Error("the Secret belongs to a predecessor");
  if (copy.data?.cert !== source.data?.cert) await mgr.client.update({ ...copy, data: source.data ?? {} });
}

/** Defects of operators whose result depends on objects of others. */
export const grants: readonly Case[] = [
  {
    name: "permission that was withdrawn",
    why: "nothing watches the permissions, so a copy stays after the end of its permission",
    simulation: (isDefective) => ({
      crds,
      objects: [secret("one")],
      scenario: async (world) => {
        await world.client.create({
          apiVersion: "grants.test/v1",
          kind: "Grant",
          metadata: { ...shared },
          spec: { from: namespace },
        });
        await world.client.create(route());
        await world.settled();
        await world.client.delete(Grant, shared);
        await world.settled();
        await world.client.delete(Route, key);
      },
      invariants: [
        eventually("no copy without a Grant", (world) => {
          return world.object(Grant, shared) !== undefined || world.object(Secret, key) === undefined;
        }),
      ],
      operator: async (mgr) => {
        const toAll = enqueueRequestsFromMapFunc(async () => {
          const { items } = await mgr.client.list(Route);
          return items.map(({ metadata }) => ({ namespace, name: metadata.name }));
        });
        const builder = newControllerManagedBy(mgr).for(Route).owns(Secret).watches(Secret, toAll);
        if (!isDefective) builder.watches(Grant, toAll);
        await builder.complete(
          asReconciler(mgr.client, Route, {
            reconcile: async (_ctx, stored) => {
              if (stored.metadata.deletionTimestamp) return;
              const grants = await mgr.client.list(Grant, { namespace: shared.namespace });
              const isGranted = grants.items.some(({ spec }) => spec.from === namespace);
              const source = await ignoreNotFound(mgr.client.get(Secret, shared));
              if (isGranted && source) return copySecret(mgr, stored, source);
              const copy = await ignoreNotFound(mgr.client.get(Secret, key));
              if (copy && hasOwnerReference(stored, copy)) {
                await ignoreNotFound(mgr.client.delete(copy, { preconditions: { uid: copy.metadata.uid } }));
              }
            },
          }),
        );
      },
    }),
  },
  {
    name: "reference to an object that doesn't exist yet",
    why: "the missing Secret counts as nothing to do, and the Secrets of the other namespace aren't watched",
    simulation: (isDefective) => ({
      crds,
      scenario: async (world) => {
        await world.client.create(route());
        await world.client.create(secret("one"));
        await world.settled();
        await world.client.delete(Route, key);
      },
      faults: ["stale", "crash", "watch", "time", "errors", "lost", "conflict", "replicas", "recreate"],
      operator: async (mgr) => {
        await newControllerManagedBy(mgr)
          .for(Route)
          .owns(Secret)
          .complete(
            asReconciler(mgr.client, Route, {
              reconcile: async (_ctx, stored) => {
                if (stored.metadata.deletionTimestamp) return {};
                const source = await ignoreNotFound(mgr.client.get(Secret, shared));
                if (!source) return isDefective ? {} : { requeueAfter: 10_000 };
                await copySecret(mgr, stored, source);
                return {};
              },
            }),
          );
      },
    }),
  },
  {
    name: "mapping by the status",
    why: "the Secret changes before the status names it, so its event finds no object",
    simulation: (isDefective) => ({
      crds,
      objects: [secret("one")],
      scenario: async (world) => {
        await world.client.create(route());
        await world.client.patch(Secret, shared, { data: { cert: Buffer.from("two").toString("base64") } });
        await world.settled();
        await world.client.patch(Secret, shared, { data: { cert: Buffer.from("three").toString("base64") } });
        await world.settled();
        await world.client.delete(Route, key);
      },
      operator: async (mgr) => {
        const name = (current: Route): string | undefined =>
          isDefective ? current.status?.secret : current.spec.secret;
        mgr.cache.indexField(Route, ".secret", (stored) => (name(stored) === undefined ? [] : [name(stored) ?? ""]));
        await newControllerManagedBy(mgr)
          .for(Route, { predicates: [generationChangedPredicate] })
          // The creation of its own copies needs no reconcile.
          .owns(Secret, { predicates: [{ create: () => false }] })
          .watches(
            Secret,
            enqueueRequestsFromMapFunc(async (_ctx, { metadata }) => {
              if (metadata?.namespace !== shared.namespace) return [];
              const { items } = await mgr.client.list(Route, { fields: { ".secret": metadata.name ?? "" } });
              return items.map((item) => ({ namespace, name: item.metadata.name }));
            }),
          )
          .complete(
            asReconciler(mgr.client, Route, {
              reconcile: async (_ctx, stored) => {
                if (stored.metadata.deletionTimestamp || !stored.spec.secret) return;
                const source = await ignoreNotFound(mgr.client.get(Secret, shared));
                if (source) await copySecret(mgr, stored, source);
                await patchStatus(mgr.client, stored, (copy) => {
                  copy.status = { ...copy.status, secret: stored.spec.secret as string };
                });
              },
            }),
          );
      },
    }),
  },
  {
    name: "readiness of the child hidden by a predicate",
    why: "the status of a child doesn't change its generation, so the owner never sees that it is ready",
    simulation: (isDefective) => ({
      crds,
      scenario: async (world) => {
        await world.client.create(route("shop", { replicas: 2 }));
        await world.settled();
        await world.client.patch(Route, key, { spec: { replicas: 3 } });
        await world.settled();
        await world.client.delete(Route, key);
      },
      operator: async (mgr) => {
        await newControllerManagedBy(mgr)
          .for(Route, { predicates: [generationChangedPredicate] })
          .owns(Deployment, isDefective ? { predicates: [generationChangedPredicate] } : {})
          .complete(
            asReconciler(mgr.client, Route, {
              reconcile: async (_ctx, current) => {
                if (current.metadata.deletionTimestamp) return;
                const labels = { app: key.name };
                const wanted: Deployment = {
                  apiVersion: "apps/v1",
                  kind: "Deployment",
                  metadata: { ...key },
                  spec: {
                    replicas: current.spec.replicas ?? 1,
                    selector: { matchLabels: labels },
                    template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }] } },
                  },
                };
                setControllerReference(current, wanted);
                const stored = await mgr.client.apply(wanted, { fieldOwner: "routes", force: true });
                const ready = stored.status?.readyReplicas ?? 0;
                await patchStatus(mgr.client, current, (copy) => {
                  copy.status = { ...copy.status, ready };
                });
              },
            }),
          );
      },
      invariants: [
        eventually("the status has the number of ready Pods", (world) => {
          const current = world.object(Route, key);
          return !current || current.status?.ready === current.spec.replicas;
        }),
      ],
    }),
  },
  {
    name: "published addresses of Pods that are no longer ready",
    why: "the predicate passes new and deleted Pods only",
    simulation: (isDefective) => ({
      crds,
      scenario: async (world) => {
        for (const name of ["web-0", "web-1"]) {
          await world.client.create(Pod, {
            metadata: { namespace, name, labels: { app: "web" } },
            spec: { containers: [{ name: "web", image: "web" }] },
          });
        }
        await world.client.create(route("shop", {}));
        await world.settled();
        await world.client.delete(Pod, { namespace, name: "web-0" });
        await world.settled();
        await world.client.delete(Route, key);
      },
      operator: async (mgr) => {
        await newControllerManagedBy(mgr)
          .for(Route)
          .owns(ConfigMap)
          .watches(
            Pod,
            enqueueRequestsFromMapFunc(() => [key]),
            isDefective ? { predicates: [{ update: () => false }] } : {},
          )
          .complete(
            asReconciler(mgr.client, Route, {
              reconcile: async (_ctx, stored) => {
                if (stored.metadata.deletionTimestamp) return;
                const { items } = await mgr.client.list(Pod, { namespace, labels: { app: "web" } });
                const ready = items
                  .filter(({ status }) =>
                    status?.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True"),
                  )
                  .map(({ metadata }) => metadata.name)
                  .sort();
                const wanted: ConfigMap = {
                  apiVersion: "v1",
                  kind: "ConfigMap",
                  metadata: { ...key },
                  data: { ready: ready.join() },
                };
                setControllerReference(stored, wanted);
                await mgr.client.apply(wanted, { fieldOwner: "routes", force: true });
              },
            }),
          );
      },
      invariants: [
        eventually("all ready Pods are published", (world) => {
          const ready = world
            .list(Pod)
            .filter(({ status }) =>
              status?.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True"),
            );
          const published = world.object(ConfigMap, key)?.data?.ready;
          return (
            !world.object(Route, key) ||
            published ===
              ready
                .map(({ metadata }) => metadata.name)
                .sort()
                .join()
          );
        }),
      ],
    }),
  },
];
