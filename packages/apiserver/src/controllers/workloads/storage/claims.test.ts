import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, it } from "vitest";
import { Cluster } from "../workloads.fixture.ts";

function claim(spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
  };
}

const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "db" },
  spec: {
    containers: [{ name: "app", image: "postgres" }],
    volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
  },
};

describe("PersistentVolumeClaims", () => {
  it("are bound to a volume of the default class", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/persistentvolumeclaims", claim());
    await cluster.advance(100);
    const bound = await cluster.get("v1/persistentvolumeclaims/data");
    expect(bound.spec).toMatchObject({ storageClassName: "standard", volumeName: `pvc-${bound.metadata.uid}` });
    expect(bound.status).toMatchObject({
      phase: "Bound",
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
    });
    const volume = await cluster.get(`/api/v1/persistentvolumes/${bound.spec.volumeName}`);
    expect(volume.spec).toMatchObject({
      claimRef: { kind: "PersistentVolumeClaim", namespace: "default", name: "data", uid: bound.metadata.uid },
      persistentVolumeReclaimPolicy: "Delete",
    });
    expect(volume.status.phase).toBe("Bound");
  });

  it("are deleted together with their volume", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/persistentvolumeclaims", claim());
    await cluster.advance(100);
    await cluster.delete("v1/persistentvolumeclaims/data");
    await cluster.advance(100);
    await expect(cluster.get("v1/persistentvolumeclaims/data")).rejects.toThrow("404");
    expect(await cluster.list("/api/v1/persistentvolumes")).toEqual([]);
  });

  it("aren't deleted while a Pod uses them", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/persistentvolumeclaims", claim());
    await cluster.create("v1/pods", pod);
    await cluster.advance(3000);
    await cluster.delete("v1/persistentvolumeclaims/data");
    await cluster.advance(3000);
    expect((await cluster.get("v1/persistentvolumeclaims/data")).metadata.deletionTimestamp).toBeDefined();
    await cluster.delete("v1/pods/db");
    await cluster.advance(3000);
    await expect(cluster.get("v1/persistentvolumeclaims/data")).rejects.toThrow("404");
  });

  it("wait until their class exists", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/persistentvolumeclaims", claim({ storageClassName: "fast" }));
    await cluster.create("v1/pods", pod);
    await cluster.advance(3000);
    expect(await cluster.events("data")).toContain('ProvisioningFailed: storageclass.storage.k8s.io "fast" not found');
    expect(await cluster.events("db")).toEqual([
      "FailedScheduling: 0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
    ]);
    await cluster.send("POST", "/apis/storage.k8s.io/v1/storageclasses", {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name: "fast" },
      provisioner: "example.com/fast",
    });
    await cluster.advance(3000);
    expect((await cluster.get("v1/pods/db")).status.phase).toBe("Running");
  });

  it("with WaitForFirstConsumer, wait until a Pod uses them", async () => {
    const cluster = await Cluster.start();
    await cluster.send("POST", "/apis/storage.k8s.io/v1/storageclasses", {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name: "local" },
      provisioner: "example.com/local",
      volumeBindingMode: "WaitForFirstConsumer",
    });
    await cluster.create("v1/persistentvolumeclaims", claim({ storageClassName: "local" }));
    await cluster.advance(1000);
    expect(await cluster.events("data")).toEqual([
      "WaitForFirstConsumer: waiting for first consumer to be created before binding",
    ]);
    await cluster.create("v1/pods", pod);
    await cluster.advance(3000);
    expect((await cluster.get("v1/persistentvolumeclaims/data")).status.phase).toBe("Bound");
    expect((await cluster.get("v1/pods/db")).status.phase).toBe("Running");
  });

  it("are bound to an existing volume", async () => {
    const cluster = await Cluster.start();
    await cluster.send("POST", "/api/v1/persistentvolumes", {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: "disk" },
      spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "5Gi" }, hostPath: { path: "/data" } },
    });
    await cluster.advance(100);
    expect((await cluster.get("/api/v1/persistentvolumes/disk")).status.phase).toBe("Available");
    await cluster.create("v1/persistentvolumeclaims", claim({ storageClassName: "" }));
    await cluster.advance(100);
    expect((await cluster.get("v1/persistentvolumeclaims/data")).spec.volumeName).toBe("disk");
    expect((await cluster.get("v1/persistentvolumeclaims/data")).status.capacity.storage).toBe("5Gi");
    await cluster.delete("v1/persistentvolumeclaims/data");
    await cluster.advance(100);
    expect((await cluster.get("/api/v1/persistentvolumes/disk")).status.phase).toBe("Released");
  });

  it("can be expanded", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/persistentvolumeclaims", claim());
    await cluster.advance(100);
    await cluster.patch("v1/persistentvolumeclaims/data", { spec: { resources: { requests: { storage: "2Gi" } } } });
    await cluster.advance(100);
    expect((await cluster.get("v1/persistentvolumeclaims/data")).status.capacity).toEqual({ storage: "2Gi" });
  });

  it("are created for ephemeral volumes, and deleted with their Pod", async () => {
    const cluster = await Cluster.start();
    const { spec } = claim() as { spec: JsonObject };
    const volumes = [{ name: "cache", ephemeral: { volumeClaimTemplate: { spec } } }];
    await cluster.create("v1/pods", { ...pod, spec: { ...pod.spec, volumes } });
    await cluster.advance(3000);
    expect((await cluster.get("v1/pods/db")).status.phase).toBe("Running");
    const created = await cluster.get("v1/persistentvolumeclaims/db-cache");
    expect(created.metadata.ownerReferences).toMatchObject([{ kind: "Pod", name: "db" }]);
    await cluster.delete("v1/pods/db");
    await cluster.advance(3000);
    expect(await cluster.list("v1/persistentvolumeclaims")).toEqual([]);
  });
});
