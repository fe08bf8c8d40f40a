import { each, type KindCases } from "../case.ts";
import { kind } from "./kind.ts";

const cpu = { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } };

/** The cases of kinds that scale, protect and schedule workloads. */
export const policyKinds: KindCases[] = [
  {
    ...kind("autoscaling/v2", "HorizontalPodAutoscaler", {
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
        maxReplicas: 3,
        metrics: [cpu],
      },
    }),
    creations: {
      ...each("spec/minReplicas", 0, -1, 5, 2),
      ...each("spec/maxReplicas", undefined, 0, -1),
      ...each(
        "spec/scaleTargetRef",
        undefined,
        { kind: "", name: "" },
        { kind: "a/b", name: "c/d" },
        { apiVersion: "a/b/c", kind: "X", name: "a" },
      ),
      ...each(
        "spec/metrics",
        [],
        [{}],
        [{ type: "Other" }],
        [{ type: "Resource" }],
        [{ ...cpu, pods: { metric: { name: "a" }, target: { type: "AverageValue", averageValue: "1" } } }],
        [{ type: "Resource", resource: { name: "", target: {} } }],
        [{ type: "Resource", resource: { name: "cpu", target: { type: "Other" } } }],
        [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 0 } } }],
        [
          {
            type: "Resource",
            resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 1, averageValue: "1" } },
          },
        ],
        [{ type: "Resource", resource: { name: "cpu", target: { type: "AverageValue" } } }],
        [{ type: "Pods", pods: { metric: {}, target: {} } }],
        [{ type: "Pods", pods: { metric: { name: "a b/c" }, target: { type: "AverageValue", averageValue: "-1" } } }],
        [{ type: "Object", object: { describedObject: {}, metric: {}, target: {} } }],
        [
          {
            type: "Object",
            object: {
              describedObject: { kind: "A", name: "b" },
              metric: { name: "a" },
              target: { type: "Value", value: "1" },
            },
          },
        ],
        [{ type: "External", external: { metric: { name: "" }, target: {} } }],
        [
          {
            type: "External",
            external: { metric: { name: "a" }, target: { type: "Value", value: "1", averageValue: "2" } },
          },
        ],
        [
          {
            type: "External",
            external: {
              metric: { name: "a", selector: { matchLabels: { "a b": "c" } } },
              target: { type: "Value", value: "1" },
            },
          },
        ],
        [
          {
            type: "ContainerResource",
            containerResource: { name: "cpu", container: "", target: { type: "Utilization", averageUtilization: 5 } },
          },
        ],
      ),
      ...each(
        "spec/behavior",
        {},
        { scaleUp: { stabilizationWindowSeconds: -1 } },
        { scaleUp: { stabilizationWindowSeconds: 3601 } },
        { scaleDown: { selectPolicy: "Other" } },
        { scaleDown: { policies: [] } },
        { scaleDown: { policies: [{ type: "Other", value: 0, periodSeconds: 0 }] } },
        { scaleDown: { policies: [{ type: "Pods", value: 1, periodSeconds: 1801 }] } },
        { scaleDown: { selectPolicy: "Disabled" } },
        { scaleUp: { tolerance: "0.1" } },
      ),
    },
    updates: { ...each("spec/maxReplicas", 5, 0), ...each("spec/minReplicas", 5) },
    statuses: each(
      "status",
      { currentReplicas: -1, desiredReplicas: -1 },
      { currentReplicas: 1, desiredReplicas: 1, conditions: [] },
      {
        currentReplicas: 1,
        desiredReplicas: 1,
      },
    ),
  },
  {
    ...kind("autoscaling/v1", "HorizontalPodAutoscaler", {
      spec: { scaleTargetRef: { kind: "Deployment", name: "a" }, maxReplicas: 3, targetCPUUtilizationPercentage: 50 },
    }),
    creations: { ...each("spec/targetCPUUtilizationPercentage", 0, undefined, -5), ...each("spec/maxReplicas", 0) },
  },
  {
    ...kind("policy/v1", "PodDisruptionBudget", { spec: { minAvailable: 1, selector: { matchLabels: { a: "b" } } } }),
    creations: {
      ...each("spec/minAvailable", undefined, -1, "x", "50%", "120%", "0%"),
      ...each("spec/maxUnavailable", 1, "10%"),
      ...each("spec/selector", undefined, {}, { matchLabels: { "a b": "c" } }),
      ...each("spec/unhealthyPodEvictionPolicy", "Other", "AlwaysAllow"),
      "only maxUnavailable": { "spec/minAvailable": undefined, "spec/maxUnavailable": -1 },
    },
    updates: each("spec/minAvailable", 2, -1),
    statuses: each(
      "status",
      { disruptionsAllowed: -1, currentHealthy: -1, desiredHealthy: -1, expectedPods: -1 },
      {
        disruptionsAllowed: 1,
        currentHealthy: 1,
        desiredHealthy: 1,
        expectedPods: 1,
        conditions: [{ type: "a b", status: "x", reason: "", message: "", lastTransitionTime: null }],
      },
    ),
  },
  {
    ...kind("scheduling.k8s.io/v1", "PriorityClass", { value: 5 }, false, "priorityclasses"),
    creations: {
      ...each("value", 2000000000, -5, 1000000001, 1000000000),
      ...each("preemptionPolicy", "Other", "Never"),
      ...each("globalDefault", false),
      ...each("metadata/name", "system-x", "A"),
    },
    updates: { ...each("value", 6), ...each("preemptionPolicy", "Never"), ...each("description", "x") },
  },
  {
    ...kind("node.k8s.io/v1", "RuntimeClass", { handler: "a" }, false, "runtimeclasses"),
    creations: {
      ...each("handler", undefined, "A b"),
      ...each(
        "overhead",
        { podFixed: { cpu: "-1" } },
        { podFixed: { "example.com/a": "1" } },
        { podFixed: { cpu: "1" } },
      ),
      ...each(
        "scheduling",
        { nodeSelector: { "a b": "c" } },
        { nodeSelector: { a: "c" }, tolerations: [{ key: "a", operator: "Other" }] },
        {
          tolerations: [
            { key: "a", operator: "Exists" },
            { key: "a", operator: "Exists" },
          ],
        },
      ),
    },
    updates: { ...each("handler", "b"), ...each("scheduling", { nodeSelector: { a: "c" } }) },
  },
  {
    ...kind("coordination.k8s.io/v1", "Lease", { spec: { holderIdentity: "a", leaseDurationSeconds: 15 } }),
    creations: {
      ...each("spec", undefined, {}),
      ...each("spec/leaseDurationSeconds", 0, -1),
      ...each("spec/leaseTransitions", -1),
      ...each("spec/holderIdentity", ""),
      ...each("spec/strategy", "OldestEmulationVersion", "a/b/c", "Other"),
      ...each("spec/preferredHolder", "x"),
      ...each(
        "spec/renewTime",
        "x",
        "2026-01-01T00:00:00.000000Z",
        "2026-01-01T00:00:00Z",
        "2026-01-01T00:00:00.12Z",
        "2026-01-01T00:00:00.1234567Z",
        "2026-01-01T00:00:00,123456+01:30",
        "2026-13-01T00:00:00.000000Z",
        "2026-02-30T00:00:00.000000Z",
        "2026-01-01T24:00:00.000000Z",
        "2026-01-01T00:00:00.000000+25:00",
        "2026-01-01T00:00:00.000000Zx",
      ),
    },
    updates: { ...each("spec/leaseDurationSeconds", 0, 20), ...each("spec/holderIdentity", "b") },
  },
];
