import type { JsonObject } from "../../../apiserver/src/json/json.ts";
import { type Changes, each, type KindCases } from "../case.ts";

const labels = { app: "a" };
const template = { metadata: { labels }, spec: { containers: [{ name: "app", image: "app:1" }] } };
const selected = { selector: { matchLabels: labels }, template };

/** The cases that workloads with a label selector and a template have in common. */
function templated(): Record<string, Changes> {
  return {
    ...each("spec/replicas", -1, 0),
    ...each("spec/minReadySeconds", -1, 5),
    ...each("spec/revisionHistoryLimit", -1),
    ...each(
      "spec/selector",
      undefined,
      {},
      { matchLabels: { app: "b" } },
      { matchLabels: { "a b": "c d" } },
      {
        matchExpressions: [
          { key: "app", operator: "In" },
          { key: "app", operator: "Other" },
        ],
      },
    ),
    ...each("spec/template", {}, undefined),
    ...each("spec/template/metadata/labels", { "a b": "c" }, undefined),
    ...each("spec/template/metadata/annotations", { "a b": "c" }),
    ...each("spec/template/spec/restartPolicy", "Never", "Other"),
    ...each("spec/template/spec/activeDeadlineSeconds", 5),
    ...each("spec/template/spec/containers/0/image", "", " "),
    ...each("spec/template/spec/containers/0/resources", { limits: { cpu: "1" }, requests: { cpu: "2" } }),
    ...each("spec/template/spec/ephemeralContainers", [{ name: "e", image: "x" }]),
    ...each("spec/template/spec/volumes", [{ name: "a", configMap: {} }], [{ name: "a" }]),
    ...each("spec/template/spec/hostNetwork", true),
    ...each("spec/template/spec/nodeSelector", { "beta.kubernetes.io/os": "linux" }),
    ...each("spec/template/spec/topologySpreadConstraints", [
      { maxSkew: 1, topologyKey: "a", whenUnsatisfiable: "DoNotSchedule" },
    ]),
    "a short memory": { "spec/template/spec/containers/0/resources": { requests: { memory: "128m" } } },
    "names of environment variables that repeat": {
      "spec/template/spec/containers/0/env": [
        { name: "A", value: "1" },
        { name: "A", value: "2" },
      ],
    },
    "ports that repeat": {
      "spec/template/spec/containers/0/ports": [{ containerPort: 80 }, { containerPort: 80 }],
    },
  };
}

const common: Record<string, Changes> = {
  ...each("spec/selector", { matchLabels: { app: "b" } }, undefined),
  ...each("spec/template/spec/containers/0/image", "app:2", ""),
  ...each("spec/template/metadata/labels", { app: "b" }, { app: "a", more: "x" }),
  ...each("spec/replicas", 3, -1),
  ...each("spec/minReadySeconds", 3),
  ...each("metadata/labels", { a: "b" }),
  ...each("metadata/annotations", { a: "b" }),
};

const counts = each(
  "status",
  { replicas: -1 },
  { replicas: 2, readyReplicas: 3 },
  { replicas: 1, availableReplicas: 2 },
  {
    replicas: 3,
    readyReplicas: 1,
    availableReplicas: 2,
  },
  { replicas: 1, observedGeneration: -1 },
  { replicas: 1, conditions: [{ type: "A", status: "True" }] },
);

function workload(
  kind: string,
  spec: JsonObject,
  path = `/apis/apps/v1/namespaces/default/${kind.toLowerCase()}s`,
): Omit<KindCases, "creations"> {
  return { path, object: { apiVersion: "apps/v1", kind, metadata: { name: kind.toLowerCase() }, spec } };
}

/** The cases of Deployments. */
export const deployments: KindCases = {
  ...workload("Deployment", selected),
  creations: {
    ...templated(),
    ...each(
      "spec/strategy",
      { type: "Other" },
      { type: "Recreate", rollingUpdate: { maxSurge: 1 } },
      { type: "Recreate" },
      { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
      { rollingUpdate: { maxSurge: -1, maxUnavailable: -1 } },
      { rollingUpdate: { maxSurge: "x", maxUnavailable: "101%" } },
      { rollingUpdate: { maxSurge: "0%", maxUnavailable: "0%" } },
      { rollingUpdate: { maxSurge: "5%" } },
    ),
    ...each("spec/progressDeadlineSeconds", -1, 0, 5),
    "a deadline before the minimum": { "spec/progressDeadlineSeconds": 5, "spec/minReadySeconds": 5 },
    ...each("metadata/name", "A_b", "a.b", "", "x".repeat(64)),
    ...each("spec/paused", true),
  },
  updates: { ...common, ...each("spec/strategy", { type: "Recreate" }, { type: "Other" }) },
  statuses: {
    ...counts,
    ...each("status", { replicas: 1, updatedReplicas: 2 }, { unavailableReplicas: -1 }, { collisionCount: -1 }),
  },
};

/** The cases of ReplicaSets. */
export const replicaSets: KindCases = {
  ...workload("ReplicaSet", selected),
  creations: { ...templated(), ...each("metadata/name", "a.b") },
  updates: common,
  statuses: { ...counts, ...each("status", { replicas: 1, fullyLabeledReplicas: 2 }) },
};

/** The cases of StatefulSets. */
export const statefulSets: KindCases = {
  ...workload("StatefulSet", { serviceName: "s", ...selected }),
  creations: {
    ...templated(),
    ...each("spec/serviceName", "", "A b"),
    ...each("spec/podManagementPolicy", "Other", "Parallel"),
    ...each(
      "spec/updateStrategy",
      { type: "Other" },
      { type: "OnDelete", rollingUpdate: { partition: 1 } },
      { type: "OnDelete" },
      { type: "RollingUpdate" },
      { rollingUpdate: { partition: -1 } },
      { type: "RollingUpdate", rollingUpdate: { partition: -1 } },
      { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0 } },
      { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "120%" } },
    ),
    ...each("spec/persistentVolumeClaimRetentionPolicy", { whenDeleted: "Other" }, { whenScaled: "" }),
    ...each("spec/ordinals", { start: -1 }, { start: 2 }),
    ...each(
      "spec/volumeClaimTemplates",
      [{ metadata: { name: "v" }, spec: {} }],
      [
        {
          metadata: { name: "v" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
      ],
      [{ spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } }],
      [
        {
          metadata: { name: "A_b" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
      ],
    ),
    ...each("metadata/name", "a.b", "x".repeat(64)),
  },
  updates: {
    ...common,
    ...each("spec/serviceName", "other"),
    ...each("spec/podManagementPolicy", "Parallel", "Other"),
    ...each("spec/volumeClaimTemplates", [{ metadata: { name: "v" }, spec: { accessModes: ["ReadWriteOnce"] } }]),
    ...each("spec/revisionHistoryLimit", 5, -1),
  },
  statuses: counts,
};

/** The cases of DaemonSets. */
export const daemonSets: KindCases = {
  ...workload("DaemonSet", selected),
  creations: {
    ...templated(),
    ...each(
      "spec/updateStrategy",
      { type: "Other" },
      { type: "OnDelete" },
      { rollingUpdate: { maxUnavailable: 0 } },
      { rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
      { rollingUpdate: { maxUnavailable: -1 } },
      { rollingUpdate: { maxUnavailable: "x" } },
      { rollingUpdate: { maxUnavailable: 0, maxSurge: "120%" } },
    ),
  },
  updates: common,
  statuses: each(
    "status",
    { currentNumberScheduled: -1, numberMisscheduled: -1, desiredNumberScheduled: -1, numberReady: -1 },
    {
      currentNumberScheduled: 1,
      numberMisscheduled: 0,
      desiredNumberScheduled: 1,
      numberReady: 1,
      numberAvailable: -1,
    },
    { currentNumberScheduled: 1, numberMisscheduled: 0, desiredNumberScheduled: 1, numberReady: 1 },
  ),
};

/** The cases of ReplicationControllers. */
export const replicationControllers: KindCases = {
  path: "/api/v1/namespaces/default/replicationcontrollers",
  object: {
    apiVersion: "v1",
    kind: "ReplicationController",
    metadata: { name: "rc" },
    spec: { selector: labels, template },
  },
  creations: {
    ...each("spec/replicas", -1),
    ...each("spec/minReadySeconds", -1),
    ...each("spec/selector", {}, undefined, { app: "b" }, { "a b": "c" }),
    ...each("spec/template", undefined, {}),
    ...each("spec/template/spec/restartPolicy", "Never"),
    ...each("spec/template/spec/activeDeadlineSeconds", 5),
    ...each("spec/template/metadata", {}),
  },
  updates: { ...each("spec/selector", { app: "b" }), ...each("spec/replicas", 3, -1) },
  statuses: counts,
};

const jobTemplate = { spec: { restartPolicy: "Never", containers: [{ name: "app", image: "app:1" }] } };

/** The cases of Jobs. */
export const jobs: KindCases = {
  path: "/apis/batch/v1/namespaces/default/jobs",
  object: { apiVersion: "batch/v1", kind: "Job", metadata: { name: "job" }, spec: { template: jobTemplate } },
  creations: {
    ...each("spec/parallelism", -1, 0, 3),
    ...each("spec/completions", -1, 3),
    ...each("spec/activeDeadlineSeconds", -1, 5),
    ...each("spec/backoffLimit", -1, 0),
    ...each("spec/ttlSecondsAfterFinished", -1, 5),
    ...each("spec/completionMode", "Other", "Indexed"),
    ...each("spec/selector", { matchLabels: { a: "b" } }),
    ...each("spec/manualSelector", true, false),
    "a manual selector": {
      "spec/manualSelector": true,
      "spec/selector": { matchLabels: { a: "b" } },
      "spec/template/metadata": { labels: { a: "b" } },
    },
    "a manual selector that selects nothing": {
      "spec/manualSelector": true,
      "spec/selector": { matchLabels: { a: "b" } },
    },
    ...each("spec/template/spec/restartPolicy", undefined, "Always", "OnFailure", "Other"),
    ...each("spec/template/spec/containers", [], [{ name: "a" }]),
    ...each(
      "spec/template/metadata",
      { labels: { a: "b" } },
      { labels: { "a b": "c" } },
      { labels: { "job-name": "x" } },
    ),
    ...each("spec/suspend", true),
    ...each("spec/podReplacementPolicy", "Other", "Failed"),
    ...each("spec/managedBy", "a", "example.com/a"),
    ...each("spec/backoffLimitPerIndex", 1),
    ...each("spec/maxFailedIndexes", 1),
    "indexed with limits": {
      "spec/completionMode": "Indexed",
      "spec/completions": 3,
      "spec/backoffLimitPerIndex": 1,
      "spec/maxFailedIndexes": 5,
    },
    "indexed with a negative limit": {
      "spec/completionMode": "Indexed",
      "spec/completions": 3,
      "spec/backoffLimitPerIndex": -1,
    },
    ...each(
      "spec/podFailurePolicy",
      { rules: [{}] },
      { rules: [{ action: "Other", onExitCodes: { operator: "In", values: [1] } }] },
      { rules: [{ action: "FailJob", onExitCodes: { operator: "Other", values: [] } }] },
      { rules: [{ action: "FailJob", onExitCodes: { containerName: "x", operator: "In", values: [0, 1, 1] } }] },
      { rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [3, 2] } }] },
      { rules: [{ action: "Ignore", onPodConditions: [{ type: "a b", status: "x" }] }] },
      { rules: [{ action: "FailIndex", onPodConditions: [{ type: "A" }] }] },
      {
        rules: [{ action: "FailJob", onPodConditions: [{ type: "A" }], onExitCodes: { operator: "In", values: [1] } }],
      },
      { rules: [{ action: "FailJob", onPodConditions: [{ type: "DisruptionTarget" }] }] },
    ),
    ...each("spec/successPolicy", { rules: [] }, { rules: [{}] }, { rules: [{ succeededCount: 1 }] }),
    "a success policy": {
      "spec/completionMode": "Indexed",
      "spec/completions": 3,
      "spec/successPolicy": {
        rules: [{ succeededIndexes: "0-1", succeededCount: 1 }, { succeededIndexes: "x" }, { succeededCount: 5 }, {}],
      },
    },
    ...each("metadata/name", "x".repeat(64), "A_b"),
    "an indexed job with a long name": {
      "metadata/name": "x".repeat(63),
      "spec/completionMode": "Indexed",
      "spec/completions": 100,
    },
  },
  updates: {
    ...each("spec/parallelism", 2, -1),
    ...each("spec/completions", 2),
    ...each("spec/template/spec/containers/0/image", "app:2"),
    ...each("spec/backoffLimit", 2),
    ...each("spec/activeDeadlineSeconds", 2),
    ...each("spec/ttlSecondsAfterFinished", 2),
    ...each("spec/completionMode", "Indexed"),
    ...each("spec/suspend", true),
    ...each("spec/selector", { matchLabels: { a: "b" } }),
    ...each("spec/podFailurePolicy", { rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [1] } }] }),
    ...each("spec/managedBy", "example.com/a"),
    ...each("metadata/labels", { a: "b" }),
  },
  statuses: {
    ...each(
      "status",
      { active: -1, succeeded: -1, failed: -1, ready: -1, terminating: -1 },
      { active: 1, ready: 2 },
      { active: 1, ready: 1 },
      { startTime: "2026-01-01T00:00:00Z" },
      { completionTime: "2026-01-01T00:00:00Z" },
      { startTime: "2026-01-02T00:00:00Z", completionTime: "2026-01-01T00:00:00Z" },
      { conditions: [{ type: "Complete", status: "True" }] },
      {
        startTime: "2026-01-01T00:00:00Z",
        completionTime: "2026-01-02T00:00:00Z",
        succeeded: 1,
        conditions: [
          { type: "SuccessCriteriaMet", status: "True" },
          { type: "Complete", status: "True" },
        ],
      },
      {
        startTime: "2026-01-01T00:00:00Z",
        conditions: [
          { type: "FailureTarget", status: "True" },
          { type: "Failed", status: "True" },
        ],
      },
      { startTime: "2026-01-01T00:00:00Z", conditions: [{ type: "Failed", status: "True" }] },
      { uncountedTerminatedPods: { succeeded: ["a", "a"], failed: [""] } },
      { completedIndexes: "0" },
      { failedIndexes: "0" },
    ),
  },
  pairs: {
    "the template of a suspended job": [
      { "spec/suspend": true },
      {
        "spec/suspend": true,
        "spec/template/spec/nodeSelector": { a: "b" },
        "spec/template/metadata": { annotations: { a: "b" } },
      },
    ],
    "completions of an indexed job": [
      { "spec/completionMode": "Indexed", "spec/completions": 2, "spec/parallelism": 2 },
      { "spec/completions": 3, "spec/parallelism": 3 },
    ],
    "only completions of an indexed job": [
      { "spec/completionMode": "Indexed", "spec/completions": 2, "spec/parallelism": 2 },
      { "spec/completions": 3 },
    ],
  },
};

/** The cases of CronJobs. */
export const cronJobs: KindCases = {
  path: "/apis/batch/v1/namespaces/default/cronjobs",
  object: {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: "cron" },
    spec: { schedule: "*/5 * * * *", jobTemplate: { spec: { template: jobTemplate } } },
  },
  creations: {
    ...each(
      "spec/schedule",
      undefined,
      "",
      "x",
      "* * * *",
      "60 * * * *",
      "* * * * * *",
      "@hourly",
      "@every 5m",
      "@every x",
      "@never",
      "TZ=Europe/Berlin * * * * *",
      "CRON_TZ=UTC 0 0 * * *",
      "0 24 * * *",
      "0 0 32 * *",
      "*/0 * * * *",
      "5-1 * * * *",
      "0 0 * JAN MON",
      "a-b * * * *",
      "1-2-3 * * * *",
      "1/2/3 * * * *",
    ),
    ...each("spec/timeZone", "", "local", "Nowhere/Here", "Europe/Berlin", " UTC", "Etc/UTC"),
    ...each("spec/concurrencyPolicy", "Other", "Forbid"),
    ...each("spec/startingDeadlineSeconds", -1, 5),
    ...each("spec/successfulJobsHistoryLimit", -1, 0),
    ...each("spec/failedJobsHistoryLimit", -1),
    ...each("spec/jobTemplate", undefined, {}),
    ...each("spec/jobTemplate/spec/template/spec/restartPolicy", undefined, "Always"),
    ...each("spec/jobTemplate/spec/selector", { matchLabels: { a: "b" } }),
    ...each("spec/jobTemplate/spec/manualSelector", true),
    ...each("spec/jobTemplate/spec/parallelism", -1),
    ...each("spec/jobTemplate/spec/ttlSecondsAfterFinished", -1),
    ...each("spec/jobTemplate/spec/template/spec/containers/0/image", ""),
    ...each("metadata/name", "x".repeat(53), "A_b"),
  },
  updates: {
    ...each("spec/schedule", "x", "* * * * *", "TZ=UTC * * * * *"),
    ...each("spec/suspend", true),
    ...each("spec/timeZone", "Nowhere/Here"),
    ...each("spec/jobTemplate/spec/template/spec/containers/0/image", "app:2"),
  },
  statuses: each("status", { lastScheduleTime: "2026-01-01T00:00:00Z" }),
};
