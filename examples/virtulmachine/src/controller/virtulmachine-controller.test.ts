import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { fakeClient, testContext } from "@kubewright/runtime/testing";
import { describe, expect, it } from "vitest";
import { Create, Running, VirtulMachine, type VirtulMachineSpec } from "#api/v1/index.ts";
import type { Hypervisor } from "../hypervisor/hypervisor.ts";
import { VirtulMachineReconciler } from "./virtulmachine-controller.ts";

const key = { namespace: "default", name: "vm" };

class FakeHypervisor implements Hypervisor {
  readonly machines = new Map<string, unknown>();
  broken = false;

  async create(id: string, size: unknown): Promise<string> {
    if (this.broken) throw new Error("out of order");
    this.machines.set(id, size);
    return `vnc://host/${id}`;
  }

  async destroy(id: string): Promise<void> {
    if (this.broken) throw new Error("out of order");
    this.machines.delete(id);
  }
}

function machine(name: string, spec: Partial<VirtulMachineSpec> = {}): VirtulMachine {
  const { apiVersion, kind } = VirtulMachine;
  return { apiVersion, kind, metadata: { ...key, name }, spec: { cpu: "1", memory: "2G", ...spec } };
}

function cluster(...objects: VirtulMachine[]) {
  const hypervisor = new FakeHypervisor();
  const client = fakeClient({
    objects,
    statusSubresource: [VirtulMachine],
    setup: (mgr) => new VirtulMachineReconciler(mgr.client, hypervisor).setupWithManager(mgr),
  });
  const reconciler = new VirtulMachineReconciler(client, hypervisor);
  /** Reconciles until it causes no further changes. */
  const settle = async (name = key.name) => {
    for (let call = 0; call < 3; call++) await reconciler.reconcile(testContext(), { ...key, name });
  };
  return { client, hypervisor, reconciler, settle };
}

describe("VirtulMachineReconciler", () => {
  it("adds its finalizer, sets the status to Create, creates the machine, and sets the status to Running", async () => {
    const { client, hypervisor, reconciler } = cluster(machine("vm"));
    const look = async () => {
      await reconciler.reconcile(testContext(), key);
      const { metadata, status } = await client.get(VirtulMachine, key);
      return [metadata.finalizers, status?.status, hypervisor.machines.size];
    };
    expect(await look()).toEqual([["virtulmachine.infra.sealyun.com"], undefined, 0]);
    expect(await look()).toEqual([["virtulmachine.infra.sealyun.com"], Create, 0]);
    expect(await look()).toEqual([["virtulmachine.infra.sealyun.com"], Running, 1]);
  });

  it("waits for the machine that it depends on", async () => {
    const { client, settle } = cluster(machine("vm", { dependsOn: "base" }), machine("base"));
    await expect(settle()).rejects.toThrow("depends on base");
    await settle("base");
    await settle();
    expect((await client.get(VirtulMachine, key)).status?.status).toBe(Running);
  });

  it("writes the URL of the console to a ConfigMap, and reverts changes to it", async () => {
    const { client, settle } = cluster(machine("vm"));
    await settle();
    const configMap = await client.get(ConfigMap, key);
    const console = configMap.data?.console;
    expect(console).toMatch(/^vnc:/);
    await client.update({ ...configMap, data: { console: "elsewhere", note: "kept" } });
    await settle();
    expect((await client.get(ConfigMap, key)).data).toEqual({ console, note: "kept" });
  });

  it("deletes the machine before it removes the finalizer, and retries if that fails", async () => {
    const { client, hypervisor, settle } = cluster(machine("vm"));
    await settle();
    await client.delete(VirtulMachine, key);
    hypervisor.broken = true;
    await expect(settle()).rejects.toThrow("out of order");
    expect((await client.get(VirtulMachine, key)).metadata.finalizers).toHaveLength(1);
    hypervisor.broken = false;
    await settle();
    await expect(client.get(VirtulMachine, key)).rejects.toThrow("not found");
    await expect(client.get(ConfigMap, key)).rejects.toThrow("not found");
    expect(hypervisor.machines.size).toBe(0);
  });

  it("keeps a deleted object while others depend on it", async () => {
    const { client, hypervisor, settle } = cluster(machine("vm"), machine("other", { dependsOn: "vm" }));
    await settle();
    await client.delete(VirtulMachine, key);
    await settle();
    expect(hypervisor.machines.size).toBe(1);
    await client.delete(VirtulMachine, { ...key, name: "other" });
    await settle();
    expect(hypervisor.machines.size).toBe(0);
  });

  it("requeues until the lifetime of a machine ends, and then deletes it", async () => {
    const born = (name: string, creationTimestamp: string) => {
      const vm = machine(name, { lifetimeSeconds: 3600 });
      return { ...vm, metadata: { ...vm.metadata, creationTimestamp } };
    };
    const young = born("young", new Date().toISOString());
    const { client, reconciler, settle } = cluster(young, born("old", "2020-01-01T00:00:00Z"));
    await settle("young");
    const result = await reconciler.reconcile(testContext(), { ...key, name: "young" });
    expect(result?.requeueAfter).toBeGreaterThan(3_000_000);
    expect(result?.requeueAfter).toBeLessThanOrEqual(3_600_000);
    await settle("old");
    await settle("old");
    await expect(client.get(VirtulMachine, { ...key, name: "old" })).rejects.toThrow("not found");
  });
});
