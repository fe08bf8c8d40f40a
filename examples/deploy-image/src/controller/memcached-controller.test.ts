import { findStatusCondition, isTerminal } from "@kubewright/runtime";
import { Deployment, type DeploymentStatus } from "@kubewright/runtime/api/apps/v1";
import { fakeClient, fakeRecorder, testContext } from "@kubewright/runtime/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Memcached, type MemcachedSpec } from "#api/v1alpha1/index.ts";
import { MemcachedReconciler } from "./memcached-controller.ts";

const key = { namespace: "default", name: "sample" };
const finalizer = "example.com.testproject.org/finalizer";
const image = "example.com/image:test";

beforeEach(() => void vi.stubEnv("MEMCACHED_IMAGE", image));
afterEach(() => void vi.unstubAllEnvs());

function cluster(spec: MemcachedSpec = { size: 2, containerPort: 11211 }) {
  const memcached: Memcached = { apiVersion: Memcached.apiVersion, kind: Memcached.kind, metadata: { ...key }, spec };
  const client = fakeClient({ objects: [memcached], statusSubresource: [Memcached] });
  const recorder = fakeRecorder();
  const reconciler = new MemcachedReconciler(client, recorder);
  const reconcile = () => reconciler.reconcile(testContext(), key);
  return {
    client,
    recorder,
    reconcile,
    /** Reconciles until it causes no further changes. */
    async settle() {
      for (let call = 0; call < 4; call++) await reconcile();
    },
    async condition(type: string) {
      const { status, reason, message } = findStatusCondition(await client.get(Memcached, key), type) ?? {};
      return `${status} ${reason}: ${message}`;
    },
    deployment: () => client.get(Deployment, key),
    async observe(status: DeploymentStatus) {
      const deployment = await client.get(Deployment, key);
      const { generation: observedGeneration } = deployment.metadata;
      await client.status.update({ ...deployment, status: { observedGeneration, ...status } });
      await reconcile();
    },
  };
}

const ready = (count: number) => ({ replicas: count, updatedReplicas: count, availableReplicas: count });

describe("MemcachedReconciler", () => {
  it("sets the first condition and the finalizer before it creates anything", async () => {
    const { client, reconcile, condition } = cluster();
    await reconcile();
    expect(await condition("Available")).toMatch(/^Unknown Reconciling/);
    await reconcile();
    expect((await client.get(Memcached, key)).metadata.finalizers).toEqual([finalizer]);
    expect((await client.list(Deployment, {})).items).toEqual([]);
    await reconcile();
    expect((await client.list(Deployment, {})).items).toHaveLength(1);
  });

  it("creates a restricted Deployment with the image, the size and the port", async () => {
    const { settle, deployment, recorder } = cluster();
    await settle();
    const { metadata, spec } = await deployment();
    expect(metadata.ownerReferences).toMatchObject([{ kind: "Memcached", name: "sample", controller: true }]);
    expect(spec?.replicas).toBe(2);
    expect(spec?.template.spec?.containers).toMatchObject([
      {
        image,
        ports: [{ containerPort: 11211 }],
        securityContext: { allowPrivilegeEscalation: false, runAsUser: 1001 },
      },
    ]);
    expect(recorder.lines).toEqual(["Normal Created Created the Deployment sample"]);
  });

  it("reverts changes of its own fields, and keeps other fields", async () => {
    const { client, settle, deployment, recorder } = cluster();
    await settle();
    const changed = await deployment();
    changed.spec!.replicas = 7;
    changed.spec!.template.spec!.containers[0]!.image = "other";
    changed.spec!.template.spec!.containers.push({ name: "sidecar", image: "sidecar" });
    await client.update(changed);
    await settle();
    const { spec } = await deployment();
    expect(spec?.replicas).toBe(2);
    expect(spec?.template.spec?.containers).toMatchObject([{ image }, { name: "sidecar" }]);
    expect(recorder.lines).toHaveLength(2);
  });

  it("applies changes of the size, including 0, and of the port", async () => {
    const { client, settle, deployment } = cluster();
    await settle();
    await client.update({ ...(await client.get(Memcached, key)), spec: { size: 0, containerPort: 9000 } });
    await settle();
    const { spec } = await deployment();
    expect(spec?.replicas).toBe(0);
    expect(spec?.template.spec?.containers[0]?.ports).toMatchObject([{ containerPort: 9000 }]);
  });

  // #region available
  it("sets Available if all instances of the current generation are available", async () => {
    const { settle, observe, condition } = cluster();
    await settle();
    expect(await condition("Available")).toBe("False Deploying: 0 of 2 instances are available");
    await observe({ ...ready(2), availableReplicas: 1 });
    expect(await condition("Available")).toBe("False Deploying: 1 of 2 instances are available");
    await observe(ready(2));
    expect(await condition("Available")).toBe("True DeploymentReady: 2 of 2 instances are available");
    await observe({ ...ready(2), observedGeneration: 0 });
    expect(await condition("Available")).toMatch(/^False/);
  });
  // #endregion available

  it("sets Degraded with the Deployment's reason if the Deployment makes no progress", async () => {
    const { settle, observe, condition } = cluster();
    await settle();
    expect(await condition("Degraded")).toMatch(/^False AsExpected/);
    const failed = { type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded", message: "too slow" };
    await observe({ conditions: [failed] });
    expect(await condition("Degraded")).toBe("True ProgressDeadlineExceeded: too slow");
  });

  it("reports a missing image, and doesn't retry", async () => {
    vi.stubEnv("MEMCACHED_IMAGE", "");
    const { settle, condition, client } = cluster();
    const error = await settle().catch((error: unknown) => error);
    expect(isTerminal(error)).toBe(true);
    expect(await condition("Available")).toMatch(/^False NoImage: MEMCACHED_IMAGE/);
    expect((await client.list(Deployment, {})).items).toEqual([]);
  });

  it("writes nothing when nothing has changed", async () => {
    const { client, settle, deployment } = cluster();
    await settle();
    const before = [await client.get(Memcached, key), await deployment()];
    await settle();
    expect([await client.get(Memcached, key), await deployment()]).toEqual(before);
  });

  it("reports the deletion, and removes the finalizer", async () => {
    const { client, settle, recorder } = cluster();
    await settle();
    recorder.clear();
    await client.delete(Memcached, key);
    await settle();
    expect(recorder.lines).toEqual(["Warning Deleting Memcached sample is being deleted from the namespace default"]);
    expect(recorder.events[0]?.object).toMatchObject({
      status: { conditions: expect.arrayContaining([expect.objectContaining({ type: "Degraded", status: "True" })]) },
    });
    await expect(client.get(Memcached, key)).rejects.toThrow("not found");
  });
});
