import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, it } from "vitest";
import { type AnyObject, Cluster, conditionsOf, deployment, podTemplate } from "../workloads.fixture.ts";

const fail = "apiserver.kubewright.dev/fail";
const path = "apps/v1/deployments/web";

function image(name: string): JsonObject {
  return { spec: { template: { spec: { containers: [{ name: "app", image: name }] } } } };
}

async function started(spec: JsonObject = {}, annotations?: { [key: string]: string }): Promise<Cluster> {
  const cluster = await Cluster.start();
  await cluster.create("apps/v1/deployments", deployment("web", spec, annotations));
  await cluster.advance(5000);
  return cluster;
}

async function sets(cluster: Cluster): Promise<AnyObject[]> {
  const replicaSets = await cluster.list("apps/v1/replicasets");
  const key = "deployment.kubernetes.io/revision";
  return replicaSets.sort((a, b) => Number(a.metadata.annotations[key]) - Number(b.metadata.annotations[key]));
}

describe("Deployments", () => {
  it("create a ReplicaSet with Pods that become available", async () => {
    const cluster = await Cluster.start();
    await cluster.create("apps/v1/deployments", deployment("web", { replicas: 3 }));
    await cluster.advance(100);
    expect(conditionsOf(await cluster.get(path))).toEqual([
      "Available=False (MinimumReplicasUnavailable)",
      "Progressing=True (ReplicaSetUpdated)",
    ]);
    await cluster.advance(2000);
    const { metadata, status } = await cluster.get(path);
    expect(metadata.annotations).toEqual({ "deployment.kubernetes.io/revision": "1" });
    expect(metadata.generation).toBe(1);
    expect(status).toMatchObject({
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      terminatingReplicas: 0,
    });
    expect(status.unavailableReplicas).toBeUndefined();
    const [set] = await sets(cluster);
    expect(conditionsOf({ status })).toEqual([
      "Available=True (MinimumReplicasAvailable)",
      "Progressing=True (NewReplicaSetAvailable)",
    ]);
    expect(status.conditions[1].message).toBe(`ReplicaSet "${set.metadata.name}" has successfully progressed.`);
    expect(await cluster.list("v1/pods", "app=web")).toHaveLength(3);
    expect(await cluster.events("web")).toEqual([
      `ScalingReplicaSet: Scaled up replica set ${set.metadata.name} from 0 to 3`,
    ]);
  });

  it("name ReplicaSets and Pods by the hash of the template", async () => {
    const cluster = await started({ minReadySeconds: 1 });
    const [set] = await sets(cluster);
    const hash = set.metadata.labels["pod-template-hash"];
    expect(set.metadata).toMatchObject({
      name: `web-${hash}`,
      labels: { app: "web" },
      annotations: { "deployment.kubernetes.io/desired-replicas": "1", "deployment.kubernetes.io/max-replicas": "2" },
      ownerReferences: [{ kind: "Deployment", name: "web", controller: true, blockOwnerDeletion: true }],
    });
    expect(set.spec).toMatchObject({
      minReadySeconds: 1,
      selector: { matchLabels: { app: "web", "pod-template-hash": hash } },
      template: { metadata: { labels: { app: "web", "pod-template-hash": hash } } },
    });
    const [pod] = await cluster.list("v1/pods");
    expect(pod.metadata.name).toMatch(new RegExp(`^web-${hash}-[a-z0-9]{5}$`));
  });

  it("replace Pods within the limits of a rolling update", async () => {
    const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 };
    const cluster = await started({ replicas: 3, strategy: { rollingUpdate } });
    await cluster.patch(path, image("nginx:2"));
    const counts = new Set<number>();
    for (let step = 0; step < 60; step++) {
      await cluster.advance(100);
      const { status } = await cluster.get(path);
      counts.add(status.availableReplicas ?? 0);
      expect(status.replicas).toBeLessThanOrEqual(4);
    }
    expect(Math.min(...counts)).toBe(3);
    const [old, current] = await sets(cluster);
    expect([old.spec.replicas, current.spec.replicas]).toEqual([0, 3]);
    expect((await cluster.events("web")).slice(1, 4)).toEqual([
      `ScalingReplicaSet: Scaled up replica set ${current.metadata.name} from 0 to 1`,
      `ScalingReplicaSet: Scaled down replica set ${old.metadata.name} from 3 to 2`,
      `ScalingReplicaSet: Scaled up replica set ${current.metadata.name} from 1 to 2`,
    ]);
  });

  it("delete all Pods before new ones with Recreate", async () => {
    const cluster = await started(
      { replicas: 2, strategy: { type: "Recreate" } },
      { "apiserver.kubewright.dev/stop-after": "5s" },
    );
    await cluster.patch(path, image("nginx:2"));
    await cluster.advance(3000);
    const stopping = await cluster.list("v1/pods");
    expect(stopping.map(({ spec }) => spec.containers[0].image)).toEqual(["nginx:1", "nginx:1"]);
    await cluster.advance(5000);
    const pods = await cluster.list("v1/pods");
    expect(pods.map(({ spec }) => spec.containers[0].image)).toEqual(["nginx:2", "nginx:2"]);
  });

  it("use an old ReplicaSet again after a rollback, as a new revision", async () => {
    const cluster = await started();
    const [first] = await sets(cluster);
    await cluster.patch(path, image("nginx:2"));
    await cluster.advance(5000);
    await cluster.patch(path, image("nginx:1"));
    await cluster.advance(5000);
    const [, latest] = await sets(cluster);
    expect(latest.metadata.name).toBe(first.metadata.name);
    expect(latest.metadata.annotations).toMatchObject({
      "deployment.kubernetes.io/revision": "3",
      "deployment.kubernetes.io/revision-history": "1",
    });
    expect((await cluster.get(path)).metadata.annotations["deployment.kubernetes.io/revision"]).toBe("3");
  });

  it("count revisions beyond the exact numbers of JavaScript", async () => {
    const cluster = await started();
    const [first] = await sets(cluster);
    const annotations = { "deployment.kubernetes.io/revision": "3546343826724306832" };
    await cluster.patch(`apps/v1/replicasets/${first.metadata.name}`, { metadata: { annotations } });
    await cluster.patch(path, image("nginx:2"));
    await cluster.advance(5000);
    const stored = await cluster.get(path);
    expect(stored.metadata.annotations["deployment.kubernetes.io/revision"]).toBe("3546343826724306833");
  });

  it("keep as many old ReplicaSets as the limit allows", async () => {
    const cluster = await started({ revisionHistoryLimit: 1 });
    for (const version of ["nginx:2", "nginx:3", "nginx:4"]) {
      await cluster.patch(path, image(version));
      await cluster.advance(5000);
    }
    expect(await sets(cluster)).toHaveLength(2);
  });

  it("report an exceeded progress deadline", async () => {
    const cluster = await started({ progressDeadlineSeconds: 30 }, { [fail]: "not-ready" });
    await cluster.advance(60_000);
    const late = await cluster.get(path);
    const [set] = await sets(cluster);
    expect(late.status.conditions).toContainEqual(
      expect.objectContaining({
        type: "Progressing",
        status: "False",
        reason: "ProgressDeadlineExceeded",
        message: `ReplicaSet "${set.metadata.name}" has timed out progressing.`,
      }),
    );
  });

  it("scale while they are paused, but don't roll out", async () => {
    const cluster = await started();
    await cluster.patch(path, { spec: { paused: true, ...(image("nginx:2").spec as JsonObject) } });
    await cluster.advance(5000);
    expect(conditionsOf(await cluster.get(path))).toContain("Progressing=Unknown (DeploymentPaused)");
    expect(await sets(cluster)).toHaveLength(1);
    await cluster.patch(path, { spec: { replicas: 2 } });
    await cluster.advance(5000);
    expect(await cluster.list("v1/pods")).toHaveLength(2);
    await cluster.patch(path, { spec: { paused: false } });
    await cluster.advance(5000);
    expect(conditionsOf(await cluster.get(path))).toContain("Progressing=True (NewReplicaSetAvailable)");
    expect(await sets(cluster)).toHaveLength(2);
  });

  it("scale ReplicaSets in proportion during a rollout", async () => {
    const rollingUpdate = { maxSurge: 3, maxUnavailable: 2 };
    const cluster = await started({ replicas: 10, strategy: { rollingUpdate } });
    const template = podTemplate("web", { [fail]: "not-ready" });
    await cluster.patch(path, { spec: { template } });
    await cluster.advance(5000);
    expect((await sets(cluster)).map(({ spec }) => spec.replicas)).toEqual([8, 5]);
    await cluster.patch(path, { spec: { replicas: 15 } });
    await cluster.advance(100);
    expect((await sets(cluster)).map(({ spec }) => spec.replicas)).toEqual([11, 7]);
  });

  it("scale up and down", async () => {
    const cluster = await started({ replicas: 1 });
    await cluster.patch(path, { spec: { replicas: 5 } });
    await cluster.advance(3000);
    expect((await cluster.get(path)).status.readyReplicas).toBe(5);
    await cluster.patch(path, { spec: { replicas: 0 } });
    await cluster.advance(3000);
    expect(await cluster.list("v1/pods")).toEqual([]);
    expect((await cluster.get(path)).status.replicas).toBeUndefined();
  });

  it("choose another ReplicaSet name if the name is in use", async () => {
    const cluster = await started();
    const [set] = await sets(cluster);
    await cluster.delete(path, { propagationPolicy: "Orphan" });
    await cluster.advance(1000);
    await cluster.patch(`apps/v1/replicasets/${set.metadata.name}`, { metadata: { labels: { app: "other" } } });
    await cluster.create("apps/v1/deployments", deployment("web"));
    await cluster.advance(10_000);
    const { status } = await cluster.get(path);
    expect(status.collisionCount).toBe(1);
    expect(status.availableReplicas).toBe(1);
  });

  it("adopt matching ReplicaSets", async () => {
    const cluster = await started();
    const [set] = await sets(cluster);
    await cluster.delete(path, { propagationPolicy: "Orphan" });
    await cluster.advance(1000);
    await cluster.create("apps/v1/deployments", deployment("web"));
    await cluster.advance(5000);
    const [adopted, ...others] = await sets(cluster);
    expect(others).toEqual([]);
    expect(adopted.metadata.uid).toBe(set.metadata.uid);
    expect(adopted.metadata.ownerReferences).toMatchObject([{ kind: "Deployment", name: "web" }]);
  });

  it("are deleted together with their Pods", async () => {
    const cluster = await started({ replicas: 2 });
    await cluster.delete(path, { propagationPolicy: "Foreground" });
    await cluster.advance(5000);
    await expect(cluster.get(path)).rejects.toThrow("404");
    expect(await cluster.list("apps/v1/replicasets")).toEqual([]);
    expect(await cluster.list("v1/pods")).toEqual([]);
  });

  it("report Pods that admission rejects", async () => {
    const cluster = await Cluster.start();
    const template = podTemplate("web", undefined, { priorityClassName: "missing" });
    await cluster.create("apps/v1/deployments", deployment("web", { template }));
    await cluster.advance(3000);
    const failed = await cluster.get(path);
    expect(conditionsOf(failed)).toContain("ReplicaFailure=True (FailedCreate)");
    const [set] = await sets(cluster);
    expect((await cluster.events(set.metadata.name))[0]).toMatch(/^FailedCreate: Error creating: pods .* is forbidden/);
  });
});

describe("ReplicaSets", () => {
  it("delete Pods that aren't ready first", async () => {
    const cluster = await started({ replicas: 3 });
    const [, second] = await cluster.list("v1/pods");
    await cluster.patch(`v1/pods/${second.metadata.name}`, { metadata: { annotations: { [fail]: "not-ready" } } });
    await cluster.advance(1000);
    await cluster.patch(path, { spec: { replicas: 2 } });
    await cluster.advance(1000);
    const left = await cluster.list("v1/pods");
    expect(left.map(({ metadata }) => metadata.name)).not.toContain(second.metadata.name);
  });

  it("release Pods whose labels change, and replace them", async () => {
    const cluster = await started({ replicas: 1 });
    const [pod] = await cluster.list("v1/pods");
    await cluster.patch(`v1/pods/${pod.metadata.name}`, { metadata: { labels: { app: "debug" } } });
    await cluster.advance(3000);
    const released = await cluster.get(`v1/pods/${pod.metadata.name}`);
    expect(released.metadata.ownerReferences).toBeUndefined();
    expect(await cluster.list("v1/pods", "app=web")).toHaveLength(1);
  });

  it("replace Pods that are deleted", async () => {
    const cluster = await started({ replicas: 2 });
    const [pod] = await cluster.list("v1/pods");
    await cluster.delete(`v1/pods/${pod.metadata.name}`);
    await cluster.advance(3000);
    const pods = await cluster.list("v1/pods");
    expect(pods).toHaveLength(2);
    expect(pods.map(({ metadata }) => metadata.uid)).not.toContain(pod.metadata.uid);
  });

  it("count Pods as available after minReadySeconds", async () => {
    const cluster = await started({ minReadySeconds: 10 });
    expect((await cluster.get(path)).status).toMatchObject({ readyReplicas: 1, unavailableReplicas: 1 });
    await cluster.advance(10_000);
    expect((await cluster.get(path)).status.availableReplicas).toBe(1);
  });
});

describe("ReplicationControllers", () => {
  it("keep their number of Pods", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/replicationcontrollers", {
      apiVersion: "v1",
      kind: "ReplicationController",
      metadata: { name: "old" },
      spec: { replicas: 2, selector: { app: "old" }, template: podTemplate("old") },
    });
    await cluster.advance(3000);
    expect((await cluster.get("v1/replicationcontrollers/old")).status).toEqual({
      availableReplicas: 2,
      fullyLabeledReplicas: 2,
      observedGeneration: 1,
      readyReplicas: 2,
      replicas: 2,
    });
  });
});
