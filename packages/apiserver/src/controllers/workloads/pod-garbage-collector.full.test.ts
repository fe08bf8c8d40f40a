import { expect, it } from "vitest";
import { Cluster, podTemplate } from "./workloads.fixture.ts";

it("the Pods that ended first are deleted beyond 1000", async () => {
  const cluster = await Cluster.start({ workloads: { controllers: ["pod-garbage-collector-controller"] } });
  const { spec } = podTemplate("any");
  for (let index = 1; index <= 1003; index++) {
    const name = `p${index}`;
    await cluster.create("v1/pods", { apiVersion: "v1", kind: "Pod", metadata: { name }, spec: spec ?? null });
    await cluster.patch(`v1/pods/${name}/status`, { status: { phase: index === 1 ? "Running" : "Succeeded" } });
  }
  await cluster.advance(1000);
  const names = (await cluster.list("v1/pods")).map(({ metadata }) => metadata.name);
  expect(names).toHaveLength(1001);
  expect(names).toContain("p1");
  expect(names).not.toContain("p2");
  expect(names).not.toContain("p3");
});
