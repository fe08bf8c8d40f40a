import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { always, eventually, simulate } from "@kubewright/runtime/simulation";
import { expect, it, vi } from "vitest";
import { Available, Memcached } from "#api/v1alpha1/index.ts";
import { MemcachedReconciler } from "./memcached-controller.ts";

const key = { namespace: "default", name: "cache" };

const cache: Memcached = {
  apiVersion: Memcached.apiVersion,
  kind: Memcached.kind,
  metadata: { ...key },
  spec: { size: 1, containerPort: 11211 },
};

it("converges whatever happens", async () => {
  vi.stubEnv("MEMCACHED_IMAGE", "memcached:1.6.26-alpine3.19");
  await simulate({
    crdDirectoryPaths: ["config/crd/bases"],
    operator: async (mgr) => {
      await new MemcachedReconciler(mgr.client).setupWithManager(mgr);
    },
    scenario: async (world) => {
      await world.client.create(cache);
      await world.settled();
      await world.client.patch(Memcached, key, { spec: { size: 2, containerPort: 11212 } });
      await world.settled();
      await world.client.delete(Memcached, key);
    },
    invariants: [
      always("at most one Deployment per Memcached", (world) => world.list(Deployment).length <= 1),
      eventually("the Deployment has the size of the Memcached, and the status reports it", (world) => {
        const memcached = world.object(Memcached, key);
        if (!memcached) return;
        expect(world.object(Deployment, key)?.spec?.replicas).toBe(memcached.spec.size);
        expect(memcached.status?.conditions?.find(({ type }) => type === Available)).toMatchObject({
          observedGeneration: memcached.metadata.generation,
          status: "True",
        });
      }),
    ],
  });
}, 60_000);
