import { Deployment } from "@kubewright/runtime/api/apps/v1";
import type { Pod } from "@kubewright/runtime/api/core/v1";
import { fakeClient, testContext } from "@kubewright/runtime/testing";
import { describe, expect, it } from "vitest";
import { Memcached } from "#api/v1alpha1/index.ts";
import { MemcachedReconciler } from "./memcached-controller.ts";

const key = { namespace: "default", name: "sample" };

function memcached(size: number): Memcached {
  return { apiVersion: Memcached.apiVersion, kind: Memcached.kind, metadata: { ...key }, spec: { size } };
}

function pod(name: string, of = key.name, phase = "Running"): Pod {
  const labels = { app: "memcached", memcached_cr: of };
  return { apiVersion: "v1", kind: "Pod", metadata: { namespace: key.namespace, name, labels }, status: { phase } };
}

function cluster(...objects: (Memcached | Pod)[]) {
  const client = fakeClient({ objects, statusSubresource: [Memcached] });
  const reconciler = new MemcachedReconciler(client);
  return { client, reconcile: () => reconciler.reconcile(testContext(), key) };
}

describe("MemcachedReconciler", () => {
  it("creates a Deployment with the size of the spec, and updates it", async () => {
    const { client, reconcile } = cluster(memcached(3));
    await reconcile();
    const deployment = await client.get(Deployment, key);
    expect(deployment.spec?.replicas).toBe(3);
    expect(deployment.metadata.ownerReferences).toMatchObject([
      { kind: "Memcached", name: "sample", controller: true },
    ]);
    await client.update({ ...(await client.get(Memcached, key)), spec: { size: 0 } });
    await reconcile();
    expect((await client.get(Deployment, key)).spec?.replicas).toBe(0);
  });

  it("names its own Pods in the status, in a fixed order", async () => {
    const { client, reconcile } = cluster(memcached(2), pod("b"), pod("a"), pod("c", "other"));
    await reconcile();
    expect((await client.get(Memcached, key)).status).toEqual({ nodes: ["a", "b"] });
  });

  it("doesn't name Pods that have ended", async () => {
    const { client, reconcile } = cluster(memcached(2), pod("a"), pod("evicted", key.name, "Failed"));
    await reconcile();
    expect((await client.get(Memcached, key)).status).toEqual({ nodes: ["a"] });
  });

  it("writes nothing when nothing has changed", async () => {
    const { client, reconcile } = cluster(memcached(2), pod("a"));
    await reconcile();
    const before = await Promise.all([client.get(Memcached, key), client.get(Deployment, key)]);
    await reconcile();
    expect(await Promise.all([client.get(Memcached, key), client.get(Deployment, key)])).toEqual(before);
  });

  it("does nothing for a deleted Memcached", async () => {
    await expect(cluster().reconcile()).resolves.toBeUndefined();
  });
});
