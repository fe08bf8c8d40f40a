import { expect, it } from "vitest";
import { Cluster, conditionsOf, deployment, podTemplate } from "../workloads.fixture.ts";

async function withPlaces(pods: number): Promise<Cluster> {
  const cluster = await Cluster.start({ workloads: { podReadyAfter: 0 } });
  await cluster.patch("/api/v1/nodes/kubewright/status", { status: { allocatable: { pods: String(pods) } } });
  return cluster;
}

it("a Deployment beyond the places of the node reports FailedCreate, and continues when there are places again", async () => {
  const cluster = await withPlaces(3);
  await cluster.create("apps/v1/deployments", deployment("web", { replicas: 5 }));
  await cluster.advance(5000);
  expect(await cluster.list("v1/pods")).toHaveLength(3);
  const before = await cluster.get("apps/v1/deployments/web");
  expect(conditionsOf(before)).toContain("ReplicaFailure=True (FailedCreate)");
  expect(before.status.readyReplicas).toBe(3);
  await cluster.patch("/api/v1/nodes/kubewright/status", { status: { allocatable: { pods: "10" } } });
  await cluster.advance(60_000);
  const after = await cluster.get("apps/v1/deployments/web");
  expect(after.status.readyReplicas).toBe(5);
  expect(conditionsOf(after)).not.toContain("ReplicaFailure=True (FailedCreate)");
});

it("Pods of clients beyond the places of the node stay pending until others end", async () => {
  const cluster = await withPlaces(1);
  const { spec } = podTemplate("any");
  for (const name of ["a", "b", "c"]) {
    await cluster.create("v1/pods", { apiVersion: "v1", kind: "Pod", metadata: { name }, spec: spec ?? null });
    await cluster.advance(1000);
  }
  expect(await cluster.events("b")).toEqual([expect.stringContaining("0/1 nodes are available: 1 Too many pods.")]);
  const assigned = async (): Promise<string[]> =>
    (await cluster.list("v1/pods")).filter((pod) => pod.spec.nodeName).map(({ metadata }) => metadata.name);
  expect(await assigned()).toEqual(["a"]);
  await cluster.delete("v1/pods/a", { gracePeriodSeconds: 0 });
  await cluster.advance(1000);
  expect(await assigned()).toEqual(["b"]);
  await cluster.patch("/api/v1/nodes/kubewright/status", { status: { allocatable: { pods: "2" } } });
  await cluster.advance(1000);
  expect(await assigned()).toEqual(["b", "c"]);
});
