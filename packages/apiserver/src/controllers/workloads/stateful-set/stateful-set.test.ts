import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, it } from "vitest";
import { Cluster, podTemplate } from "../workloads.fixture.ts";

const fail = "apiserver.kubewright.dev/fail";

function statefulSet(spec: JsonObject = {}, annotations?: { [key: string]: string }): JsonObject {
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "db" },
    spec: {
      serviceName: "db",
      replicas: 3,
      selector: { matchLabels: { app: "db" } },
      template: podTemplate("db", annotations),
      ...spec,
    },
  };
}

const volumeClaimTemplates = [
  {
    metadata: { name: "data" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  },
];

async function podNames(cluster: Cluster): Promise<string[]> {
  return (await cluster.list("v1/pods")).map(({ metadata }) => metadata.name).sort();
}

describe("StatefulSets", () => {
  it("create Pods one after another", async () => {
    const cluster = await Cluster.start();
    await cluster.create("apps/v1/statefulsets", statefulSet());
    await cluster.advance(500);
    expect(await podNames(cluster)).toEqual(["db-0"]);
    await cluster.advance(1000);
    expect(await podNames(cluster)).toEqual(["db-0", "db-1"]);
    await cluster.advance(3000);
    const { status } = await cluster.get("apps/v1/statefulsets/db");
    expect(status).toMatchObject({
      observedGeneration: 1,
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
      collisionCount: 0,
    });
    expect(status.currentRevision).toBe(status.updateRevision);
    const pod = await cluster.get("v1/pods/db-1");
    expect(pod.metadata.labels).toEqual({
      app: "db",
      "apps.kubernetes.io/pod-index": "1",
      "controller-revision-hash": status.updateRevision,
      "statefulset.kubernetes.io/pod-name": "db-1",
    });
    expect(pod.spec).toMatchObject({ hostname: "db-1", subdomain: "db" });
    expect(await cluster.events("db")).toEqual([
      "SuccessfulCreate: Create Pod db-0 in StatefulSet db successful",
      "SuccessfulCreate: Create Pod db-1 in StatefulSet db successful",
      "SuccessfulCreate: Create Pod db-2 in StatefulSet db successful",
    ]);
  });

  it("create all Pods at once with Parallel", async () => {
    const cluster = await Cluster.start();
    await cluster.create("apps/v1/statefulsets", statefulSet({ podManagementPolicy: "Parallel" }));
    await cluster.advance(500);
    expect(await podNames(cluster)).toEqual(["db-0", "db-1", "db-2"]);
  });

  it("name revisions as kube-controller-manager does", async () => {
    const cluster = await Cluster.start();
    await cluster.create("apps/v1/statefulsets", statefulSet());
    await cluster.advance(500);
    const [revision] = await cluster.list("apps/v1/controllerrevisions");
    expect(revision.data.spec.template.$patch).toBe("replace");
    expect(revision.revision).toBe(1);
    expect(revision.metadata.labels["controller.kubernetes.io/hash"]).toMatch(/^[a-z0-9]+$/);
    expect(revision.metadata.name).toBe(`db-${revision.metadata.labels["controller.kubernetes.io/hash"]}`);
  });

  it("delete Pods from the highest ordinal on", async () => {
    const cluster = await Cluster.start();
    await cluster.create("apps/v1/statefulsets", statefulSet());
    await cluster.advance(5000);
    await cluster.patch("apps/v1/statefulsets/db", { spec: { replicas: 1 } });
    await cluster.advance(10);
    expect(await podNames(cluster)).toEqual(["db-0"]);
    const events = await cluster.events("db");
    expect(events.slice(-2)).toEqual([
      "SuccessfulDelete: Delete Pod db-2 in StatefulSet db successful",
      "SuccessfulDelete: Delete Pod db-1 in StatefulSet db successful",
    ]);
  });

  it("update Pods from the highest ordinal down to the partition", async () => {
    const cluster = await Cluster.start();
    const updateStrategy = { type: "RollingUpdate", rollingUpdate: { partition: 1 } };
    await cluster.create("apps/v1/statefulsets", statefulSet({ updateStrategy }));
    await cluster.advance(5000);
    const { status } = await cluster.get("apps/v1/statefulsets/db");
    const image = { spec: { template: { spec: { containers: [{ name: "app", image: "nginx:2" }] } } } };
    await cluster.patch("apps/v1/statefulsets/db", image);
    await cluster.advance(20_000);
    const pods = await cluster.list("v1/pods");
    const images = Object.fromEntries(pods.map(({ metadata, spec }) => [metadata.name, spec.containers[0].image]));
    expect(images).toEqual({ "db-0": "nginx:1", "db-1": "nginx:2", "db-2": "nginx:2" });
    const partial = await cluster.get("apps/v1/statefulsets/db");
    expect(partial.status).toMatchObject({
      currentRevision: status.currentRevision,
      currentReplicas: 1,
      updatedReplicas: 2,
    });
    await cluster.patch("apps/v1/statefulsets/db", { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } });
    await cluster.advance(10_000);
    const complete = await cluster.get("apps/v1/statefulsets/db");
    expect(complete.status.currentRevision).toBe(complete.status.updateRevision);
    expect(complete.status).toMatchObject({ currentReplicas: 3, updatedReplicas: 3 });
    expect(await cluster.list("apps/v1/controllerrevisions")).toHaveLength(2);
  });

  it("wait for a Pod that isn't ready", async () => {
    const cluster = await Cluster.start();
    await cluster.create("apps/v1/statefulsets", statefulSet({}, { [fail]: "not-ready" }));
    await cluster.advance(10_000);
    expect(await podNames(cluster)).toEqual(["db-0"]);
    await cluster.patch("v1/pods/db-0", { metadata: { annotations: { [fail]: null } } });
    await cluster.advance(1000);
    expect(await podNames(cluster)).toEqual(["db-0", "db-1"]);
  });

  it("create claims, which remain when the set is scaled down", async () => {
    const cluster = await Cluster.start();
    await cluster.create("apps/v1/statefulsets", statefulSet({ volumeClaimTemplates, replicas: 2 }));
    await cluster.advance(5000);
    const claims = await cluster.list("v1/persistentvolumeclaims");
    expect(claims.map(({ metadata }) => metadata.name)).toEqual(["data-db-0", "data-db-1"]);
    expect(claims[0].metadata.labels).toEqual({ app: "db" });
    const pod = await cluster.get("v1/pods/db-1");
    expect(pod.spec.volumes).toContainEqual({
      name: "data",
      persistentVolumeClaim: { claimName: "data-db-1" },
    });
    expect((await cluster.events("db"))[0]).toBe(
      "SuccessfulCreate: Create Claim data-db-0 Pod db-0 in StatefulSet db success",
    );
    await cluster.patch("apps/v1/statefulsets/db", { spec: { replicas: 0 } });
    await cluster.advance(5000);
    expect(await cluster.list("v1/persistentvolumeclaims")).toHaveLength(2);
  });

  it("delete claims of Pods that are scaled down, if the policy requires it", async () => {
    const cluster = await Cluster.start();
    const persistentVolumeClaimRetentionPolicy = { whenDeleted: "Delete", whenScaled: "Delete" };
    const spec = { volumeClaimTemplates, replicas: 2, persistentVolumeClaimRetentionPolicy };
    await cluster.create("apps/v1/statefulsets", statefulSet(spec));
    await cluster.advance(5000);
    const [claim] = await cluster.list("v1/persistentvolumeclaims");
    expect(claim.metadata.ownerReferences).toMatchObject([{ kind: "StatefulSet", name: "db" }]);
    await cluster.patch("apps/v1/statefulsets/db", { spec: { replicas: 1 } });
    await cluster.advance(5000);
    const left = await cluster.list("v1/persistentvolumeclaims");
    expect(left.map(({ metadata }) => metadata.name)).toEqual(["data-db-0"]);
    await cluster.delete("apps/v1/statefulsets/db");
    await cluster.advance(5000);
    expect(await cluster.list("v1/persistentvolumeclaims")).toEqual([]);
  });
});
