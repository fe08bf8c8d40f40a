import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, it, onTestFinished } from "vitest";
import { type AnyObject, Cluster, conditionsOf } from "../workloads.fixture.ts";

const prefix = "apiserver.kubewright.dev";

function pod(annotations: { [name: string]: string } = {}, spec: JsonObject = {}): JsonObject {
  const commands = Object.entries(annotations).map(([name, value]) => [`${prefix}/${name}`, value]);
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "one", annotations: Object.fromEntries(commands) },
    spec: { containers: [{ name: "app", image: "nginx:1" }], ...spec },
  };
}

async function after(cluster: Cluster, seconds: number): Promise<AnyObject> {
  await cluster.advance(seconds * 1000);
  return cluster.get("v1/pods/one");
}

function stateOf(object: AnyObject): string {
  const [{ state, ready, restartCount }] = object.status.containerStatuses;
  const [kind] = Object.keys(state);
  return `${kind} ${state[kind as string].reason ?? ""} ready=${ready} restarts=${restartCount}`;
}

describe("Pods", () => {
  it("are scheduled, start and become ready", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/pods", pod());
    const starting = await after(cluster, 0.5);
    expect(starting.spec.nodeName).toBe("kubewright");
    expect(starting.status).toMatchObject({ phase: "Pending", hostIP: "10.0.0.2" });
    expect(starting.status.podIP).toBeUndefined();
    expect(stateOf(starting)).toBe("waiting ContainerCreating ready=false restarts=0");
    expect(conditionsOf(starting)).toEqual([
      "PodReadyToStartContainers=False",
      "Initialized=True",
      "Ready=False (ContainersNotReady)",
      "ContainersReady=False (ContainersNotReady)",
      "PodScheduled=True",
    ]);
    const ready = await after(cluster, 1);
    expect(ready.status).toMatchObject({ phase: "Running", podIP: "10.244.0.1", qosClass: "BestEffort" });
    expect(stateOf(ready)).toBe("running  ready=true restarts=0");
    expect(conditionsOf(ready).slice(0, 4)).toEqual([
      "PodReadyToStartContainers=True",
      "Initialized=True",
      "Ready=True",
      "ContainersReady=True",
    ]);
    expect(await cluster.events("one")).toEqual([
      "Scheduled: Successfully assigned default/one to kubewright",
      'Pulled: Container image "nginx:1" already present on machine and can be accessed by the pod',
      "Created: Container created",
      "Started: Container started",
    ]);
    const [{ manager, subresource }] = ready.metadata.managedFields.slice(-1);
    expect({ manager, subresource }).toEqual({ manager: "kubelet", subresource: "status" });
  });

  it("stop within their grace period when they are deleted", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/pods", pod({ "stop-after": "10s" }));
    await after(cluster, 3);
    await cluster.delete("v1/pods/one");
    const stopping = await after(cluster, 5);
    expect(stopping.status.phase).toBe("Running");
    expect(await cluster.events("one")).toContain("Killing: Stopping container app");
    await cluster.advance(6000);
    await expect(cluster.get("v1/pods/one")).rejects.toThrow("404");
  });

  it("are killed at the end of their grace period", async () => {
    const cluster = await Cluster.start();
    const object = pod({ "stop-after": "1h" }, { terminationGracePeriodSeconds: 5 });
    await cluster.create("v1/pods", {
      ...object,
      metadata: { ...(object.metadata as JsonObject), finalizers: ["example.com/keep"] },
    });
    await after(cluster, 3);
    await cluster.delete("v1/pods/one");
    const killed = await after(cluster, 6);
    expect(killed.status.phase).toBe("Failed");
    expect(killed.status.containerStatuses[0].state.terminated).toMatchObject({ exitCode: 137, reason: "Error" });
    await cluster.patch("v1/pods/one", { metadata: { finalizers: null } });
    await expect(cluster.get("v1/pods/one")).rejects.toThrow("404");
  });

  it("run to completion with the restart policy Never", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/pods", pod({ "run-for": "5s" }, { restartPolicy: "Never" }));
    expect((await after(cluster, 5)).status.phase).toBe("Running");
    const done = await after(cluster, 2);
    expect(done.status.phase).toBe("Succeeded");
    expect(stateOf(done)).toBe("terminated Completed ready=false restarts=0");
    expect(conditionsOf(done)).toContain("Ready=False (PodCompleted)");
  });

  it("fail with the exit code in an annotation", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/pods", pod({ "exit-code": "3" }, { restartPolicy: "Never" }));
    const failed = await after(cluster, 2);
    expect(failed.status.phase).toBe("Failed");
    expect(failed.status.containerStatuses[0].state.terminated).toMatchObject({ exitCode: 3, reason: "Error" });
  });

  it("crash if an annotation requests it, with growing delays between restarts", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/pods", pod({ fail: "crash", "run-for": "1s" }));
    const first = await after(cluster, 3.5);
    expect(stateOf(first)).toBe("waiting CrashLoopBackOff ready=false restarts=1");
    const { uid } = first.metadata;
    const [{ state, lastState }] = first.status.containerStatuses;
    expect(state.waiting.message).toBe(`back-off 10s restarting failed container=app pod=one_default(${uid})`);
    expect(lastState.terminated).toMatchObject({ exitCode: 1, reason: "Error" });
    expect(first.status.phase).toBe("Running");
    expect(stateOf(await after(cluster, 10))).toBe("running  ready=true restarts=2");
    const second = await after(cluster, 2);
    expect(second.status.containerStatuses[0].state.waiting.message).toContain("back-off 20s");
    expect(await cluster.events("one")).toContain(
      `BackOff: Back-off restarting failed container app in pod one_default(${uid}) (x2)`,
    );
  });

  it("run after the number of failures in an annotation", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/pods", pod({ fail: "oom", "fail-times": "2" }));
    const failing = await after(cluster, 2);
    expect(failing.status.containerStatuses[0].lastState.terminated).toMatchObject({
      exitCode: 137,
      reason: "OOMKilled",
    });
    expect(stateOf(await after(cluster, 60))).toBe("running  ready=true restarts=2");
  });

  it("apply changed annotations", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/pods", pod());
    await after(cluster, 2);
    await cluster.patch("v1/pods/one", { metadata: { annotations: { [`${prefix}/fail`]: "not-ready" } } });
    expect(conditionsOf(await after(cluster, 1))).toContain("Ready=False (ContainersNotReady)");
    await cluster.patch("v1/pods/one", { metadata: { annotations: { [`${prefix}/fail`]: null } } });
    expect(conditionsOf(await after(cluster, 1))).toContain("Ready=True");
  });

  it("report a missing image if an annotation requests it", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/pods", pod({ fail: "image-pull" }));
    expect(stateOf(await after(cluster, 1.5))).toBe("waiting ErrImagePull ready=false restarts=0");
    expect(stateOf(await after(cluster, 3))).toBe("waiting ImagePullBackOff ready=false restarts=0");
    expect(await cluster.events("one")).toContain('BackOff: Back-off pulling image "nginx:1"');
    await cluster.patch("v1/pods/one", { metadata: { annotations: { [`${prefix}/fail`]: null } } });
    expect((await after(cluster, 3)).status.phase).toBe("Running");
  });

  it("stay pending if an annotation requests it", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/pods", pod({ fail: "unschedulable" }));
    const pending = await after(cluster, 3);
    expect(pending.spec.nodeName).toBeUndefined();
    expect(pending.status.conditions).toMatchObject([
      {
        type: "PodScheduled",
        status: "False",
        reason: "Unschedulable",
        message:
          "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.",
      },
    ]);
    await cluster.patch("v1/pods/one", { metadata: { annotations: { [`${prefix}/fail`]: null } } });
    expect((await after(cluster, 3)).status.phase).toBe("Running");
  });

  it("don't create containers if an annotation requests it", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/pods", pod({ fail: "creating" }));
    expect(stateOf(await after(cluster, 60))).toBe("waiting ContainerCreating ready=false restarts=0");
  });

  it("are evicted if an annotation requests it", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/pods", pod());
    await after(cluster, 2);
    await cluster.patch("v1/pods/one", { metadata: { annotations: { [`${prefix}/fail`]: "evict" } } });
    const evicted = await after(cluster, 1);
    expect(evicted.status).toMatchObject({ phase: "Failed", reason: "Evicted" });
    expect(conditionsOf(evicted)).toContain("DisruptionTarget=True (TerminationByKubelet)");
  });

  it("fail after activeDeadlineSeconds", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/pods", pod({}, { activeDeadlineSeconds: 10 }));
    expect((await after(cluster, 5)).status.phase).toBe("Running");
    expect((await after(cluster, 6)).status).toMatchObject({ phase: "Failed", reason: "DeadlineExceeded" });
  });

  it("start init containers one after another, and sidecars before the others", async () => {
    const cluster = await Cluster.start();
    const initContainers = [
      { name: "first", image: "init:1" },
      { name: "proxy", image: "proxy:1", restartPolicy: "Always" },
    ];
    const commands = { fail: "crash", "fail-container": "first", "fail-times": "2" };
    await cluster.create("v1/pods", pod(commands, { initContainers }));
    const waiting = await after(cluster, 2);
    expect(waiting.status.phase).toBe("Pending");
    expect(waiting.status.initContainerStatuses[0].state.waiting.reason).toBe("CrashLoopBackOff");
    expect(conditionsOf(waiting)).toContain("Initialized=False (ContainersNotInitialized)");
    const running = await after(cluster, 30);
    expect(running.status.phase).toBe("Running");
    expect(running.status.initContainerStatuses.map(({ ready, started }: AnyObject) => [ready, started])).toEqual([
      [true, false],
      [true, true],
    ]);
  });

  it("wait for readiness gates", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/pods", pod({}, { readinessGates: [{ conditionType: "example.com/lb" }] }));
    const waiting = await after(cluster, 2);
    expect(conditionsOf(waiting)).toContain("Ready=False (ReadinessGatesNotReady)");
    const conditions = [...waiting.status.conditions, { type: "example.com/lb", status: "True" }];
    await cluster.patch("v1/pods/one/status", { status: { conditions } });
    expect(conditionsOf(await after(cluster, 1))).toContain("Ready=True");
  });

  it("respect node selectors, cordoned nodes and scheduling gates", async () => {
    const cluster = await Cluster.start();
    await cluster.patch("/api/v1/nodes/kubewright", { spec: { unschedulable: true } });
    await cluster.create("v1/pods", pod({}, { nodeSelector: { "kubernetes.io/os": "linux" } }));
    expect((await after(cluster, 1)).status.conditions[0].message).toBe(
      "0/1 nodes are available: 1 node(s) were unschedulable. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
    );
    await cluster.patch("/api/v1/nodes/kubewright", { spec: { unschedulable: null } });
    expect((await after(cluster, 2)).status.phase).toBe("Running");
  });

  it("report invalid annotations", async () => {
    const cluster = await Cluster.start();
    await cluster.create("v1/pods", pod({ fail: "explode", "run-for": "soon" }));
    await after(cluster, 2);
    expect((await cluster.events("one")).filter((event) => event.startsWith("InvalidSimulation"))).toEqual([
      "InvalidSimulation: annotation apiserver.kubewright.dev/fail: must be one of unschedulable, image-pull, creating, crash, oom, not-ready, evict; it is ignored",
      "InvalidSimulation: annotation apiserver.kubewright.dev/run-for: must be a duration such as 500ms or 1m30s; it is ignored",
    ]);
  });

  it("continue after a restart of the server", async () => {
    const dataFile = join(mkdtempSync(join(tmpdir(), "workloads-")), "data");
    onTestFinished(() => rmSync(dirname(dataFile), { recursive: true }));
    const first = await Cluster.start(undefined, { dataFile });
    await first.create("v1/pods", pod({ fail: "crash" }));
    const before = await after(first, 5);
    expect(stateOf(before)).toBe("waiting CrashLoopBackOff ready=false restarts=1");
    await first.server.stop();
    const second = await Cluster.start(undefined, { dataFile });
    // The clocks of both servers begin at the same time.
    expect(stateOf(await after(second, 8))).toBe("waiting CrashLoopBackOff ready=false restarts=1");
    const restarted = await after(second, 4);
    expect(stateOf(restarted)).toBe("waiting CrashLoopBackOff ready=false restarts=2");
    expect(restarted.status.containerStatuses[0].state.waiting.message).toContain("back-off 20s");
    expect(restarted.status.podIP).toBe(before.status.podIP);
  });

  it("are the same in every run with the same clock and numbers", async () => {
    const run = async (): Promise<string> => {
      const cluster = await Cluster.start();
      await cluster.create("v1/pods", pod({ fail: "crash" }));
      return JSON.stringify(await after(cluster, 100));
    };
    expect(await run()).toBe(await run());
  });
});
