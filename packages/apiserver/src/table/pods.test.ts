import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, test } from "vitest";
import { podCells, podRowConditions } from "./pods.ts";

const now = Date.parse("2026-01-01T00:10:00Z");

function pod(spec: JsonObject, status: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { metadata: { name: "p", creationTimestamp: "2026-01-01T00:00:00Z", ...metadata }, spec, status };
}

const podSpec: JsonObject = { containers: [{ name: "c" }] };
const running: JsonObject = { name: "c", ready: true, restartCount: 0, state: { running: {} } };

function cells(spec: JsonObject, status: JsonObject, metadata: JsonObject = {}): unknown[] {
  return podCells(pod(spec, status, metadata), now);
}

describe("the cells of a Pod", () => {
  test("count ready containers and show the phase", () => {
    expect(cells(podSpec, { phase: "Running", containerStatuses: [running] })).toEqual([
      "p",
      "1/1",
      "Running",
      "0",
      "10m",
      "<none>",
      "<none>",
      "<none>",
      "<none>",
    ]);
  });

  test("show the reason why a container waits, and its restarts", () => {
    const waiting = {
      name: "c",
      restartCount: 3,
      state: { waiting: { reason: "CrashLoopBackOff" } },
      lastState: { terminated: { finishedAt: "2026-01-01T00:09:50Z" } },
    };
    expect(cells(podSpec, { phase: "Running", containerStatuses: [waiting] }).slice(1, 4)).toEqual([
      "0/1",
      "CrashLoopBackOff",
      "3 (10s ago)",
    ]);
  });

  test.each([
    [{ exitCode: 2 }, "ExitCode:2"],
    [{ exitCode: 137, signal: 9 }, "Signal:9"],
    [{ exitCode: 1, reason: "Error" }, "Error"],
  ])("show how a container ended: %j", (terminated, reason) => {
    const status = { phase: "Running", containerStatuses: [{ name: "c", state: { terminated } }] };
    expect(cells(podSpec, status)[2]).toBe(reason);
  });

  test("show the progress of init containers", () => {
    const spec = { ...podSpec, initContainers: [{ name: "a" }, { name: "b" }] };
    const done = { name: "a", state: { terminated: { exitCode: 0 } } };
    const waits = { name: "b", state: { waiting: { reason: "PodInitializing" } } };
    expect(cells(spec, { phase: "Pending", initContainerStatuses: [done, waits] }).slice(1, 3)).toEqual([
      "0/1",
      "Init:1/2",
    ]);
    const failed = { name: "b", state: { terminated: { exitCode: 7 } } };
    expect(cells(spec, { phase: "Pending", initContainerStatuses: [done, failed] })[2]).toBe("Init:ExitCode:7");
  });

  test("count sidecars that have started", () => {
    const spec = { ...podSpec, initContainers: [{ name: "s", restartPolicy: "Always" }] };
    const sidecar = { name: "s", started: true, ready: true, restartCount: 1, state: { running: {} } };
    const status = { phase: "Running", initContainerStatuses: [sidecar], containerStatuses: [running] };
    expect(cells(spec, status).slice(1, 4)).toEqual(["2/2", "Running", "1"]);
  });

  test("show a deletion instead of other states, except for a finished Pod", () => {
    const metadata = { deletionTimestamp: "2026-01-01T00:09:00Z" };
    expect(cells(podSpec, { phase: "Running" }, metadata)[2]).toBe("Terminating");
    expect(cells(podSpec, { phase: "Succeeded" }, metadata)[2]).toBe("Succeeded");
    expect(cells(podSpec, { phase: "Running", reason: "NodeLost" }, metadata)[2]).toBe("Unknown");
  });

  test("show scheduling gates and readiness gates", () => {
    const gated = [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }];
    expect(cells(podSpec, { phase: "Pending", conditions: gated })[2]).toBe("SchedulingGated");
    const spec = { ...podSpec, readinessGates: [{ conditionType: "a" }, { conditionType: "b" }] };
    expect(cells(spec, { phase: "Running", conditions: [{ type: "a", status: "True" }] })[8]).toBe("1/2");
  });

  test("mark rows of finished Pods with a condition", () => {
    expect(podRowConditions(pod(podSpec, { phase: "Failed" }))).toEqual([
      { type: "Completed", status: "True", reason: "Failed", message: "The pod failed." },
    ]);
    expect(podRowConditions(pod(podSpec, { phase: "Running" }))).toBeUndefined();
  });
});
