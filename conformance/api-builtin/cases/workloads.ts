import type { JsonObject } from "@kubewright/cel/json";
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
