import {
  asReconciler,
  enqueueRequestsFromMapFunc,
  ignoreNotFound,
  isConflict,
  newControllerManagedBy,
  patchStatus,
  setControllerReference,
} from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { always, eventually, type World } from "@kubewright/runtime/simulation";
import type { Case } from "../lib.ts";
import { crds, key, namespace, Route, route } from "../routes.ts";

/** Defects of operators with several writers, or several candidates. */
export const writers: readonly Case[] = [
  {
    name: "oldest object of the same second",
    why: "two objects have the same creation time, and the order in the cache decides",
    simulation: (isDefective) => ({
      crds,
      scenario: async (world: World) => {
        await world.client.create(route("b", { weight: 2 }));
        await world.client.create(route("a", { weight: 1 }));
        await world.client.create(route("c", { weight: 3 }));
        await world.settled();
        await world.client.delete(Route, { namespace, name: "c" });
        await world.settled();
      },
      faults: ["stale", "crash", "watch", "time", "errors", "lost", "conflict", "replicas"],
      operator: async (mgr) => {
        const toAll = enqueueRequestsFromMapFunc<Route>(() => [{ namespace, name: "all" }]);
        await newControllerManagedBy(mgr)
          .named("winner")
          .watches(Route, toAll)
          .complete({
            async reconcile() {
              const { items } = await mgr.client.list(Route, { namespace });
              const live = items.filter(({ metadata }) => !metadata.deletionTimestamp);
              live.sort((one, two) => {
                const times =
                  Date.parse(one.metadata.creationTimestamp ?? "") - Date.parse(two.metadata.creationTimestamp ?? "");
                if (times !== 0 || isDefective) return times;
                return one.metadata.name < two.metadata.name ? -1 : 1;
              });
              const [winner] = live;
              for (const current of live) {
                const phase = current === winner ? "Active" : "Ignored";
                if (current.status?.phase !== phase) await mgr.client.status.update({ ...current, status: { phase } });
              }
            },
          });
      },
      invariants: [
        eventually("one Route is active", (world) => {
          const all = world.list(Route);
          return all.length === 0 || all.filter(({ status }) => status?.phase === "Active").length === 1;
        }),
      ],
    }),
  },
  {
    name: "cleaner that runs without the lease",
    why: "it is a runnable that doesn't need the leader, so each process deletes objects",
    simulation: (isDefective) => ({
      crds,
      replicas: 2,
      scenario: async (world) => {
        await world.client.create(ConfigMap, { metadata: { ...key, labels: { temporary: "yes" } } });
        await world.advance(180_000);
        await world.settled();
      },
      operator: async (mgr) => {
        await newControllerManagedBy(mgr)
          .for(Route)
          .complete({ reconcile: async () => {} });
        await mgr.add({
          needLeaderElection: () => !isDefective,
          start: async (signal: AbortSignal) => {
            while (!signal.aborted) {
              await new Promise((resolve) => setTimeout(resolve, 60_000));
              if (signal.aborted) return;
              try {
                const { items } = await mgr.apiReader.list(ConfigMap, { labels: { temporary: "yes" } });
                for (const item of items) await ignoreNotFound(mgr.client.delete(item));
              } catch {
                // The next round tries again.
              }
            }
          },
        });
      },
    }),
  },
  {
    name: "conflict of an apply treated as success",
    why: "another field manager owns the field, the server rejects the apply, and the operator reports that it is done",
    simulation: (isDefective) => ({
      crds,
      scenario: async (world) => {
        await world.client.create(route("shop", { weight: 1 }));
        await world.settled();
        await world.client.patch(ConfigMap, key, { data: { weight: "9" } });
        await world.settled();
        await world.client.patch(Route, key, { spec: { weight: 2 } });
        await world.settled();
        await world.client.delete(Route, key);
      },
      invariants: [
        always("the status never names an unknown phase", (world) => {
          return ["Applied", undefined].includes(world.object(Route, key)?.status?.phase);
        }),
        eventually("the map has the weight of the Route", (world) => {
          const stored = world.object(Route, key);
          return !stored || world.object(ConfigMap, key)?.data?.weight === String(stored.spec.weight);
        }),
      ],
      operator: async (mgr) => {
        await newControllerManagedBy(mgr)
          .for(Route)
          .owns(ConfigMap)
          .complete(
            asReconciler(mgr.client, Route, {
              reconcile: async (_ctx, stored) => {
                if (stored.metadata.deletionTimestamp) return;
                const wanted: ConfigMap = {
                  apiVersion: "v1",
                  kind: "ConfigMap",
                  metadata: { ...key },
                  data: { weight: String(stored.spec.weight) },
                };
                setControllerReference(stored, wanted);
                try {
                  await mgr.client.apply(wanted, { fieldOwner: "routes", force: !isDefective });
                } catch (error) {
                  if (!isDefective || !isConflict(error)) throw error;
                }
                await patchStatus(mgr.client, stored, (copy) => {
                  copy.status = { ...copy.status, phase: "Applied" };
                });
              },
            }),
          );
      },
    }),
  },
];
