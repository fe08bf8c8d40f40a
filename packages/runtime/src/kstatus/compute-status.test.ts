import { describe, expect, it } from "vitest";
import { computeStatus } from "./compute-status.ts";

const now = new Date("2026-01-02T03:04:05Z");
const game = (status?: unknown, metadata: object = { generation: 2 }) => ({
  apiVersion: "myapp.example.com/v1",
  kind: "Game",
  metadata,
  ...(status === undefined ? {} : { status }),
});
const condition = (type: string, status: unknown, rest: object = {}) => ({ type, status, ...rest });
const conditions = (...list: unknown[]) => ({ conditions: list });
const observed = (observedGeneration: unknown, rest: object = {}) => ({ observedGeneration, ...rest });
const [ready, reconciling, stalled] = ["Ready", "Reconciling", "Stalled"].map((type) => condition(type, "True"));
const stateOf = (object: object) => computeStatus(object, now);

describe("a kind without rules of its own is", () => {
  it.each<[string, unknown, string]>([
    ["no status", undefined, "Current"],
    ["an empty status", {}, "Current"],
    ["the initial observed generation", observed(-1), "InProgress"],
    ["an earlier observed generation", observed(1, conditions(ready)), "InProgress"],
    ["a later observed generation", observed(3), "InProgress"],
    ["the observed generation only", observed(2), "Current"],
    ["a phase", observed(2, { phase: "Failed" }), "Current"],
    ["Ready True", observed(2, conditions(ready)), "Current"],
    ["Ready False", observed(2, conditions(condition("Ready", "False"))), "InProgress"],
    ["Ready Unknown", observed(2, conditions(condition("Ready", "Unknown"))), "InProgress"],
    ["Reconciling and Ready True", observed(2, conditions(reconciling, ready)), "InProgress"],
    ["Stalled True", observed(2, conditions(stalled, condition("Ready", "False"))), "Failed"],
    ["Stalled True of an earlier generation", observed(1, conditions(stalled)), "InProgress"],
    ["Stalled before Reconciling", conditions(stalled, reconciling), "Failed"],
    ["Reconciling before Stalled", conditions(reconciling, stalled), "InProgress"],
    ["both False", conditions(condition("Reconciling", "False"), condition("Stalled", "False")), "Current"],
    ["Reconciling Unknown", conditions(condition("Reconciling", "Unknown"), ready), "Current"],
    ["only Available False", conditions(condition("Available", "False")), "Current"],
    [
      "a condition of an earlier generation",
      conditions(condition("Ready", "True", { observedGeneration: 1 })),
      "Current",
    ],
    ["two Ready, the first False", conditions(condition("Ready", "False"), ready), "InProgress"],
    ["Ready with an invalid status", conditions(condition("Ready", "true")), "Current"],
    ["Ready with a boolean", conditions(condition("Ready", true)), "Unknown"],
    ["a message that is a number", conditions(condition("Ready", "True", { message: 5 })), "Unknown"],
    ["an observed generation that is a text", observed("2"), "Unknown"],
    ["an observed generation that is a fraction", observed(2.5), "Unknown"],
    ["an observed generation that is null", observed(null), "Unknown"],
    ["conditions that are an object", { conditions: {} }, "Unknown"],
    ["a status that is a text", "ok", "Unknown"],
    ["conditions that are null", { conditions: null }, "Current"],
    ["a condition without a type", conditions({ status: "True" }), "Current"],
  ])("with %s", (_, status, expected) => {
    expect(stateOf(game(status)).status).toBe(expected);
  });

  it("Terminating while it is deleted, whatever its conditions are", () => {
    const deleted = game(conditions(ready), { generation: 2, deletionTimestamp: "2026-01-02T03:04:05Z" });
    expect(stateOf(deleted)).toEqual({
      status: "Terminating",
      reason: "",
      message: "Resource scheduled for deletion",
    });
  });

  it("Current with any observed generation if it has no generation", () => {
    expect(stateOf(game(observed(7), {})).status).toBe("Current");
  });
});

describe("a built-in kind", () => {
  const of = (kind: string, rest: object) => ({
    apiVersion:
      kind === "Job"
        ? "batch/v1"
        : /^(Pod|Service|PersistentVolumeClaim|Secret|ConfigMap)$/.test(kind)
          ? "v1"
          : "apps/v1",
    kind,
    metadata: { generation: 2, creationTimestamp: "2026-01-02T03:04:00Z" },
    ...rest,
  });
  it.each<[string, string, object, string, string]>([
    ["without a status", "Deployment", {}, "InProgress", "LessReplicas"],
    [
      "that exceeds its deadline",
      "Deployment",
      { status: conditions(condition("Progressing", "False", { reason: "ProgressDeadlineExceeded" })) },
      "Failed",
      "ProgressDeadlineExceeded",
    ],
    [
      "with 0 replicas",
      "Deployment",
      {
        spec: { replicas: 0, progressDeadlineSeconds: 600 },
        status: conditions(
          condition("Available", "True"),
          condition("Progressing", "True", { reason: "NewReplicaSetAvailable" }),
        ),
      },
      "Current",
      "",
    ],
    ["that users update", "StatefulSet", { spec: { updateStrategy: { type: "OnDelete" } } }, "Current", ""],
    [
      "with a partition",
      "StatefulSet",
      {
        spec: { replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } } },
        status: { replicas: 3, readyReplicas: 3, updatedReplicas: 1 },
      },
      "Current",
      "",
    ],
    [
      "with two revisions",
      "StatefulSet",
      { status: { replicas: 1, readyReplicas: 1, currentReplicas: 1, currentRevision: "a", updateRevision: "b" } },
      "InProgress",
      "RevisionMismatch",
    ],
    ["that its controller hasn't seen", "DaemonSet", {}, "InProgress", "NoObservedGeneration"],
    ["that hasn't started", "Job", {}, "InProgress", "JobNotStarted"],
    ["that runs", "Job", { status: { startTime: "2026-01-01T00:00:00Z", active: 1 } }, "Current", ""],
    ["that failed", "Job", { status: conditions(condition("Failed", "True")) }, "Failed", "JobFailed"],
    ["that failed", "Pod", { status: { phase: "Failed" } }, "Current", ""],
    [
      "that crashes",
      "Pod",
      {
        status: {
          phase: "Running",
          containerStatuses: [{ name: "app", state: { waiting: { reason: "CrashLoopBackOff" } } }],
        },
      },
      "Failed",
      "ContainerCrashLooping",
    ],
    ["with an unknown phase", "Pod", { status: { phase: "Unknown" } }, "Unknown", ""],
    ["that isn't bound", "PersistentVolumeClaim", { status: { phase: "Pending" } }, "InProgress", "NotBound"],
    ["without an address in the cluster", "Service", { spec: { type: "LoadBalancer" } }, "InProgress", "NoIPAssigned"],
    [
      "without an external address",
      "Service",
      { spec: { type: "LoadBalancer", clusterIP: "10.0.0.1" } },
      "Current",
      "",
    ],
    [
      "that can't create Pods",
      "ReplicaSet",
      { status: conditions(condition("ReplicaFailure", "True")) },
      "InProgress",
      "ReplicaFailure",
    ],
    ["of any content", "ConfigMap", {}, "Current", ""],
    ["of any content", "Secret", {}, "Current", ""],
  ])("%s: %s", (_, kind, rest, status, reason) => {
    expect(stateOf(of(kind, rest))).toMatchObject({ status, reason });
  });

  it("Pod that no node can take fails after 15 seconds", () => {
    const status = {
      phase: "Pending",
      ...conditions(condition("PodScheduled", "False", { reason: "Unschedulable" })),
    };
    const pod = of("Pod", { status });
    expect(computeStatus(pod, now)).toMatchObject({ status: "InProgress", reason: "PodNotScheduled" });
    expect(computeStatus(pod, new Date(now.getTime() + 10_001))).toMatchObject({
      status: "Failed",
      reason: "PodUnschedulable",
    });
  });

  it("CustomResourceDefinition follows its conditions", () => {
    const crd = (status?: object) => ({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { generation: 1 },
      status,
    });
    expect(stateOf(crd())).toMatchObject({ status: "InProgress", reason: "Installing" });
    const refused = condition("NamesAccepted", "False", { reason: "ListKindConflict" });
    expect(stateOf(crd(conditions(refused)))).toMatchObject({ status: "Failed", reason: "ListKindConflict" });
    expect(stateOf(crd(conditions(condition("Established", "True")))).status).toBe("Current");
  });
});

describe("an object with fields of wrong types", () => {
  it.each<[string, object]>([
    ["a list", []],
    ["metadata that are a text", { metadata: "x" }],
    ["a time of deletion that is a number", { metadata: { deletionTimestamp: 5 } }],
    ["a generation that is a text", { metadata: { generation: "1" } }],
    [
      "container statuses that are an object",
      { apiVersion: "v1", kind: "Pod", status: { phase: "Running", containerStatuses: {} } },
    ],
  ])("is Unknown: %s", (_, object) => {
    expect(stateOf(object)).toMatchObject({ status: "Unknown", reason: "" });
  });

  it("doesn't throw for inherited names", () => {
    expect(
      stateOf({ apiVersion: "v1", kind: "constructor", metadata: { __proto__: { deletionTimestamp: 5 } } }).status,
    ).toBe("Current");
  });
});
