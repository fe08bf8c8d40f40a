import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { Pod } from "@kubewright/runtime/api/core/v1";
import { always, eventually, simulate } from "@kubewright/runtime/simulation";
import { it } from "vitest";
import { Memcached } from "#api/v1alpha1/index.ts";
import { MemcachedReconciler } from "./memcached-controller.ts";

const key = { namespace: "default", name: "cache" };

const cache: Memcached = {
  apiVersion: Memcached.apiVersion,
  kind: Memcached.kind,
  metadata: { ...key },
  spec: { size: 2 },
};

it("converges whatever happens", async () => {
  await simulate({
    crdDirectoryPaths: ["config/crd/bases"],
    operator: async (mgr) => {
      await new MemcachedReconciler(mgr.client).setupWithManager(mgr);
    },
    scenario: async (world) => {
      await world.client.create(cache);
      await world.settled();
      await world.client.patch(Memcached, key, { spec: { size: 3 } });
      await world.settled();
      await world.client.delete(Memcached, key);
    },
    invariants: [
      always("at most one Deployment per Memcached", (world) => world.list(Deployment).length <= 1),
      eventually("the status lists the Pods that run", (world) => {
        const memcached = world.object(Memcached, key);
        const pods = world.list(Pod).filter(({ status }) => status?.phase === "Running");
        const names = pods.map(({ metadata }) => metadata.name);
        return !memcached || memcached.status?.nodes.join() === names.sort().join();
      }),
    ],
  });
}, 60_000);
