import { describe, expect, it } from "vitest";
import { Cluster, conditionsOf, deployment } from "./workloads.fixture.ts";

describe("PodDisruptionBudgets", () => {
  it("allow as many disruptions as Pods are healthy beyond the minimum", async () => {
    const cluster = await Cluster.start();
    await cluster.create("policy/v1/poddisruptionbudgets", {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name: "web" },
      spec: { minAvailable: 2, selector: { matchLabels: { app: "web" } } },
    });
    await cluster.create("apps/v1/deployments", deployment("web", { replicas: 3 }));
    await cluster.advance(500);
    const before = await cluster.get("policy/v1/poddisruptionbudgets/web");
    expect(conditionsOf(before)).toEqual(["DisruptionAllowed=False (InsufficientPods)"]);
    await cluster.advance(2000);
    const after = await cluster.get("policy/v1/poddisruptionbudgets/web");
    expect(after.status).toMatchObject({
      disruptionsAllowed: 1,
      currentHealthy: 3,
      desiredHealthy: 2,
      expectedPods: 3,
      observedGeneration: 1,
    });
    expect(conditionsOf(after)).toEqual(["DisruptionAllowed=True (SufficientPods)"]);
  });

  it("follow the size of the Deployment for percentages", async () => {
    const cluster = await Cluster.start();
    await cluster.create("apps/v1/deployments", deployment("web", { replicas: 4 }));
    await cluster.create("policy/v1/poddisruptionbudgets", {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name: "web" },
      spec: { maxUnavailable: "25%", selector: { matchLabels: { app: "web" } } },
    });
    await cluster.advance(3000);
    const { status } = await cluster.get("policy/v1/poddisruptionbudgets/web");
    expect(status).toMatchObject({ disruptionsAllowed: 1, desiredHealthy: 3, expectedPods: 4 });
  });
});
