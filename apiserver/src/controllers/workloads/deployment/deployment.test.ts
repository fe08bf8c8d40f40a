import { describe, expect, it } from "vitest";
import { Cluster, conditionsOf, deployment } from "../workloads.fixture.ts";

describe("Deployments", () => {
  it("create a ReplicaSet with Pods that become available", async () => {
    const cluster = await Cluster.start();
    await cluster.create("apps/v1/deployments", deployment("web", { replicas: 3 }));
    await cluster.advance(100);
    const pending = await cluster.get("apps/v1/deployments/web");
    expect(conditionsOf(pending)).toEqual([
      "Available=False (MinimumReplicasUnavailable)",
      "Progressing=True (ReplicaSetUpdated)",
    ]);
    await cluster.advance(2000);
    const { metadata, status } = await cluster.get("apps/v1/deployments/web");
    expect(metadata.annotations).toEqual({ "deployment.kubernetes.io/revision": "1" });
    expect(status).toMatchObject({
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      terminatingReplicas: 0,
    });
    const [set] = await cluster.list("apps/v1/replicasets");
    expect(conditionsOf({ status })).toEqual([
      "Available=True (MinimumReplicasAvailable)",
      "Progressing=True (NewReplicaSetAvailable)",
    ]);
    expect(status.conditions[1].message).toBe(`ReplicaSet "${set.metadata.name}" has successfully progressed.`);
    const pods = await cluster.list("v1/pods", "app=web");
    expect(pods).toHaveLength(3);
    expect(await cluster.events("web")).toEqual([
      `ScalingReplicaSet: Scaled up replica set ${set.metadata.name} from 0 to 3`,
    ]);
  });
});
