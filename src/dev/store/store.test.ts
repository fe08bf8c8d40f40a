import type { ReconcileRecord } from "@kubewright/dashboard/protocol";
import { masked } from "@kubewright/runtime/secrets";
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../client/kube-client.ts";
import { fieldPaths } from "./changes.ts";
import { Records } from "./records.ts";
import { hasMaskedValue, withoutSecretValues } from "./secrets.ts";
import { summaryOf } from "./summary.ts";
import { yamlDiff } from "./yaml.ts";

const reconcile = (id: number, diff = ""): ReconcileRecord => ({
  id: String(id),
  controller: "game",
  object: { kind: "Game", namespace: "default", name: `game-${id % 2}` },
  time: "2026-01-01T00:00:00.000Z",
  durationMs: 1,
  reasons: [],
  reads: [],
  writes: diff === "" ? [] : [{ verb: "update", kind: "Game", diff, error: null, durationMs: 1 }],
  calls: [],
  logs: [],
  steps: diff === "" ? [] : ["write"],
  result: { requeueAfter: 0 },
  error: null,
  pid: 1,
});

describe("records", () => {
  it("are found by object, the latest first", () => {
    const records = new Records();
    for (let id = 0; id < 10; id++) records.addReconcile(reconcile(id));
    expect(records.reconciles({ kind: "game", name: "game-1" }, 3).map(({ id }) => id)).toEqual(["9", "7", "5"]);
    expect(records.reconciles({ kind: "game", namespace: "other" }, 3)).toEqual([]);
  });

  it("are limited by number and by size", () => {
    const records = new Records();
    for (let id = 0; id < 6000; id++) records.addReconcile(reconcile(id));
    expect(records.reconciles({}, 10_000)).toHaveLength(5000);
    const large = "x".repeat(1024 * 1024);
    for (let id = 0; id < 100; id++) records.addReconcile(reconcile(id, large));
    expect(records.reconciles({}, 10_000).length).toBeLessThan(50);
  });
});

describe("Secrets", () => {
  const secret = (password: string): KubeObject => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "s" },
    data: { password },
  });

  it("have no values, and changed ones differ", () => {
    const before = withoutSecretValues(secret("b2xk"));
    const same = withoutSecretValues(secret("b2xk"), before);
    const after = withoutSecretValues(secret("bmV3"), before);
    expect(before.data).toEqual({ password: masked });
    expect(same.data).toEqual({ password: masked });
    expect(yamlDiff(before, after)).toContain("+  password: (hidden, changed)");
    expect(JSON.stringify([before, same, after])).not.toMatch(/b2xk|bmV3/);
  });

  it("are recognized if their mask would be written", () => {
    expect(hasMaskedValue(withoutSecretValues(secret("b2xk")))).toBe(true);
    expect(hasMaskedValue(secret("b2xk"))).toBe(false);
  });
});

describe("owners of fields", () => {
  it("have paths with the keys of list items", () => {
    const fields = {
      "f:spec": { "f:replicas": {}, "f:containers": { 'k:{"name":"app"}': { ".": {}, "f:image": {} } } },
      "f:list": { 'v:"x"': {} },
    };
    expect(fieldPaths(fields)).toEqual(["spec.replicas", "spec.containers[name=app].image", 'list["x"]']);
    expect(fieldPaths(undefined)).toEqual([]);
  });
});

describe("the state of an object", () => {
  const of = (apiVersion: string, kind: string, spec: object, status: object, generation = 1) => {
    const {
      ready,
      status: state,
      statusMessage,
    } = summaryOf({ apiVersion, kind, metadata: { name: "x", generation }, spec, status }, false);
    return [state, ready, statusMessage];
  };
  const condition = (type: string, status: string, message = "") => ({ conditions: [{ type, status, message }] });
  const game = "example.com/v1";
  const rolledOut = {
    ...{ replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 },
    conditions: [
      { type: "Available", status: "True" },
      { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" },
    ],
  };

  it.each<readonly [string, string, object, object, string | null, boolean | null, string]>([
    ["apps/v1", "Deployment", { replicas: 2 }, rolledOut, "Current", true, "Deployment is available. Replicas: 2"],
    ["apps/v1", "Deployment", { replicas: 2 }, { ...rolledOut, readyReplicas: 1 }, "InProgress", false, "Ready: 1/2"],
    [
      ...(["apps/v1", "Deployment", { replicas: 2 }, { ...rolledOut, observedGeneration: 0 }] as const),
      ...(["InProgress", false, "Deployment generation is 1, but latest observed generation is 0"] as const),
    ],
    ["v1", "Pod", {}, { phase: "Running", ...condition("Ready", "True") }, "Current", true, "Pod is Ready"],
    ["v1", "Pod", {}, { phase: "Succeeded" }, "Current", true, "Pod has completed successfully"],
    ["v1", "Pod", {}, { phase: "Failed" }, "Current", false, "Pod has completed, but not successfully"],
    ["v1", "Pod", {}, {}, "InProgress", false, "Pod phase not available"],
    ["batch/v1", "Job", {}, {}, "InProgress", false, "Job not started"],
    [
      ...(["batch/v1", "Job", {}, { startTime: "2026-01-01T00:00:00Z", active: 1 }, "Current", null] as const),
      "Job in progress. success:0, active: 1, failed: 0",
    ],
    ["batch/v1", "Job", {}, condition("Complete", "True"), "Current", true, "Job Completed. succeeded: 0/1"],
    ["batch/v1", "Job", {}, condition("Failed", "True"), "Failed", false, "Job Failed. failed: 0/1"],
    ["v1", "ConfigMap", {}, {}, "Current", true, "Resource is always ready"],
    ["v1", "ReplicationController", {}, {}, null, null, ""],
    [game, "Game", {}, condition("Ready", "False", "no host"), "InProgress", false, "no host"],
    [game, "Game", {}, condition("Stalled", "True", "bad host"), "Failed", false, "bad host"],
    [
      game,
      "Game",
      {},
      { ...condition("Stalled", "True"), conditions: [{ type: "Stalled", status: "True", reason: "BadHost" }] },
      "Failed",
      false,
      "BadHost",
    ],
    [game, "Game", {}, condition("Available", "True"), null, true, ""],
    [game, "Game", {}, condition("Available", "False"), null, false, ""],
    [game, "Game", {}, { observedGeneration: 1 }, null, null, ""],
    [
      ...([
        game,
        "Game",
        {},
        { ...condition("Available", "True"), observedGeneration: 0 },
        "InProgress",
        false,
      ] as const),
      "Game generation is 1, but latest observed generation is 0",
    ],
    [game, "Game", {}, { conditions: "hostile" }, "Unknown", false, "status.conditions isn't a list"],
  ])("of a %s %s with %j and %j is %s, and ready is %s", (apiVersion, kind, spec, status, state, ready, message) => {
    expect(of(apiVersion, kind, spec, status)).toEqual([state, ready, message]);
  });

  it("is Terminating for an object that is being deleted", () => {
    const metadata = { name: "x", deletionTimestamp: "2026-01-01T00:00:00Z" };
    expect(summaryOf({ apiVersion: "v1", kind: "ConfigMap", metadata }, false)).toMatchObject({
      status: "Terminating",
      ready: false,
      statusMessage: "Resource scheduled for deletion",
    });
  });
});
