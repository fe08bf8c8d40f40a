import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, it } from "vitest";
import { Cluster, podTemplate } from "./workloads.fixture.ts";

function daemonSet(spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "agent" },
    spec: { selector: { matchLabels: { app: "agent" } }, template: podTemplate("agent"), ...spec },
  };
}

describe("DaemonSets", () => {
  it("run a Pod on the node", async () => {
    const cluster = await Cluster.start();
    await cluster.create("apps/v1/daemonsets", daemonSet());
    await cluster.advance(3000);
    const { status } = await cluster.get("apps/v1/daemonsets/agent");
    expect(status).toEqual({
      currentNumberScheduled: 1,
      desiredNumberScheduled: 1,
      numberAvailable: 1,
      numberMisscheduled: 0,
      numberReady: 1,
      observedGeneration: 1,
      updatedNumberScheduled: 1,
    });
    const [pod] = await cluster.list("v1/pods");
    expect(pod.spec.nodeName).toBe("kubewright");
    expect(pod.spec.tolerations).toContainEqual({
      key: "node.kubernetes.io/unschedulable",
      operator: "Exists",
      effect: "NoSchedule",
    });
    expect(await cluster.events("agent")).toEqual([`SuccessfulCreate: Created pod: ${pod.metadata.name}`]);
  });

  it("replace the Pod when the template changes", async () => {
    const cluster = await Cluster.start();
    await cluster.create("apps/v1/daemonsets", daemonSet());
    await cluster.advance(3000);
    const image = { spec: { template: { spec: { containers: [{ name: "app", image: "nginx:2" }] } } } };
    await cluster.patch("apps/v1/daemonsets/agent", image);
    await cluster.advance(3000);
    const [pod, ...others] = await cluster.list("v1/pods");
    expect(others).toEqual([]);
    expect(pod.spec.containers[0].image).toBe("nginx:2");
    expect((await cluster.get("apps/v1/daemonsets/agent")).status.updatedNumberScheduled).toBe(1);
    expect(await cluster.list("apps/v1/controllerrevisions")).toHaveLength(2);
  });

  it("don't run a Pod on a node that doesn't match", async () => {
    const cluster = await Cluster.start();
    const template = podTemplate("agent", undefined, { nodeSelector: { disk: "ssd" } });
    await cluster.create("apps/v1/daemonsets", daemonSet({ template }));
    await cluster.advance(3000);
    expect(await cluster.list("v1/pods")).toEqual([]);
    await cluster.patch("/api/v1/nodes/kubewright", { metadata: { labels: { disk: "ssd" } } });
    await cluster.advance(3000);
    expect((await cluster.get("apps/v1/daemonsets/agent")).status.numberReady).toBe(1);
  });

  it("replace a failed Pod", async () => {
    const cluster = await Cluster.start();
    await cluster.create("apps/v1/daemonsets", daemonSet());
    await cluster.advance(3000);
    const [pod] = await cluster.list("v1/pods");
    await cluster.patch(`v1/pods/${pod.metadata.name}`, {
      metadata: { annotations: { "apiserver.kubewright.dev/fail": "evict" } },
    });
    await cluster.advance(3000);
    const [other] = await cluster.list("v1/pods");
    expect(other.metadata.name).not.toBe(pod.metadata.name);
    expect(await cluster.events("agent")).toContain(
      `FailedDaemonPod: Found failed daemon pod default/${pod.metadata.name} on node kubewright, will try to kill it`,
    );
  });
});
