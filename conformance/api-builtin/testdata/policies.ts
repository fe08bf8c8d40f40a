import type { JsonObject } from "../../../apiserver/src/json/json.ts";
import { each, type KindCases } from "../case.ts";

function kind(
  apiVersion: string,
  name: string,
  rest: JsonObject,
  namespaced = true,
  plural = `${name.toLowerCase()}s`,
): Pick<KindCases, "path" | "object"> {
  const path = `/apis/${apiVersion}${namespaced ? "/namespaces/default" : ""}/${plural}`;
  return { path, object: { apiVersion, kind: name, metadata: { name: name.toLowerCase() }, ...rest } };
}

const rbac = "rbac.authorization.k8s.io/v1";
const cpu = { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } };
const rules = { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] };
const backend = { service: { name: "a", port: { number: 80 } } };
const http = (...paths: JsonObject[]): JsonObject[] => [{ http: { paths } }];

const roleRules = each(
  "rules",
  [],
  [{}],
  [{ verbs: ["get"] }],
  [{ verbs: ["get"], apiGroups: [""] }],
  [{ verbs: ["get"], resources: ["pods"] }],
  [{ verbs: ["get"], nonResourceURLs: ["/a"] }],
  [{ verbs: ["get"], nonResourceURLs: ["/a"], apiGroups: [""], resources: ["pods"] }],
);
const roleReferences = {
  ...each(
    "roleRef",
    undefined,
    { kind: "Other", name: "a" },
    { kind: "ClusterRole", name: "" },
    { kind: "ClusterRole", name: "a/b" },
    {
      apiGroup: "x",
      kind: "ClusterRole",
      name: "a",
    },
    { kind: "Role", name: "a" },
  ),
  ...each(
    "subjects",
    [],
    [{}],
    [{ kind: "User", name: "" }],
    [{ kind: "User", name: "a", apiGroup: "x" }],
    [{ kind: "Group", name: "a" }],
    [{ kind: "ServiceAccount", name: "a" }],
    [{ kind: "ServiceAccount", name: "A b", namespace: "x" }],
    [{ kind: "ServiceAccount", name: "a", namespace: "x", apiGroup: "y" }],
    [{ kind: "Other", name: "a" }],
  ),
};

/** The cases of kinds that control workloads, networks, access and scheduling. */
export const policyKinds: KindCases[] = [
  {
    ...kind(rbac, "Role", rules),
    creations: { ...roleRules, ...each("metadata/name", "a/b", "A:b%") },
    updates: roleRules,
  },
  {
    ...kind(rbac, "ClusterRole", rules, false),
    creations: {
      ...roleRules,
      ...each(
        "aggregationRule",
        {},
        { clusterRoleSelectors: [{ matchLabels: { "a b": "c" } }] },
        { clusterRoleSelectors: [{ matchLabels: { a: "c" } }] },
      ),
    },
  },
  {
    ...kind(rbac, "RoleBinding", {
      roleRef: { kind: "ClusterRole", name: "view" },
      subjects: [{ kind: "User", name: "a" }],
    }),
    creations: roleReferences,
    updates: { ...each("roleRef", { kind: "ClusterRole", name: "edit" }), ...each("subjects", []) },
  },
  {
    ...kind(
      rbac,
      "ClusterRoleBinding",
      { roleRef: { kind: "ClusterRole", name: "view" }, subjects: [{ kind: "User", name: "a" }] },
      false,
    ),
    creations: roleReferences,
    updates: each("roleRef", { kind: "ClusterRole", name: "edit" }),
  },
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
    ...kind("networking.k8s.io/v1", "NetworkPolicy", { spec: { podSelector: {} } }, true, "networkpolicies"),
    creations: {
      ...each("spec/podSelector", { matchLabels: { "a b": "c" } }),
      ...each("spec/policyTypes", ["Other"], ["Ingress", "Egress", "Ingress"], ["Egress"]),
      ...each(
        "spec/ingress",
        [{}],
        [{ from: [{}] }],
        [{ from: [{ ipBlock: { cidr: "x" } }] }],
        [{ from: [{ ipBlock: { cidr: "" } }] }],
        [{ from: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["11.0.0.0/16", "x", "10.0.0.0/8"] } }] }],
        [{ from: [{ ipBlock: { cidr: "10.0.0.0/8" }, podSelector: {} }] }],
        [
          {
            from: [
              { podSelector: { matchLabels: { "a b": "c" } }, namespaceSelector: { matchLabels: { "a b": "c" } } },
            ],
          },
        ],
        [{ ports: [{ protocol: "ICMP" }] }],
        [{ ports: [{ port: 0 }] }],
        [{ ports: [{ port: "A b" }] }],
        [
          {
            ports: [
              { port: 80, endPort: 70 },
              { endPort: 80 },
              { port: "a", endPort: 5 },
              { port: 80, endPort: 70000 },
            ],
          },
        ],
      ),
      ...each("spec/egress", [{}], [{ to: [{}] }], [{ ports: [{ port: 80, protocol: "X" }] }]),
    },
    updates: each("spec/podSelector", { matchLabels: { a: "b" } }, { matchLabels: { "a b": "c" } }),
  },
  {
    ...kind("networking.k8s.io/v1", "Ingress", { spec: { defaultBackend: backend } }, true, "ingresses"),
    creations: {
      ...each(
        "spec/defaultBackend",
        undefined,
        {},
        { service: { name: "" } },
        { service: { name: "A b", port: {} } },
        { service: { name: "a", port: { number: 80, name: "x" } } },
        {
          service: { name: "a", port: { number: 70000 } },
        },
        { service: { name: "a", port: { name: "A b" } } },
        { resource: { kind: "X", name: "a" } },
        { resource: { kind: "", name: "" } },
        {
          resource: { apiGroup: "a b", kind: "a/b", name: "a/b" },
          service: { name: "a", port: { number: 80 } },
        },
      ),
      ...each("spec/ingressClassName", "A_b", "", "a"),
      ...each(
        "spec/rules",
        [{ host: "A b" }],
        [{ host: "1.2.3.4" }],
        [{ host: "*.example.com" }],
        [{ host: "*example.com" }],
        [{ host: "a.*.com" }],
        http({ path: "/a", backend }),
        http({ path: "a", pathType: "Prefix", backend }),
        http({ path: "", pathType: "Exact", backend }),
        http({ path: "/a//b", pathType: "Exact", backend }),
        http({ path: "/a/../b", pathType: "Prefix", backend }),
        http({ path: "/a%2fb", pathType: "Prefix", backend }),
        http({ path: "/a", pathType: "Other", backend }),
        http({ path: "/a(b", pathType: "ImplementationSpecific", backend }),
        http({ path: "b", pathType: "ImplementationSpecific", backend }),
        http({ pathType: "ImplementationSpecific", backend }),
        http({ path: "/a", pathType: "Prefix", backend: {} }),
        http(),
      ),
      ...each(
        "spec/tls",
        [{ hosts: ["A b"] }],
        [{ hosts: ["*.a.b"], secretName: "A b" }],
        [{ hosts: ["a"], secretName: "b" }],
      ),
      ...each("metadata/annotations", { "kubernetes.io/ingress.class": "x" }),
      "an annotation and a class": {
        "metadata/annotations": { "kubernetes.io/ingress.class": "x" },
        "spec/ingressClassName": "a",
      },
    },
    updates: { ...each("spec/ingressClassName", "A_b"), ...each("spec/defaultBackend", undefined) },
    statuses: each(
      "status/loadBalancer",
      { ingress: [{ ip: "x", hostname: "A b" }] },
      { ingress: [{ ip: "1.2.3.4" }] },
      { ingress: [{ hostname: "1.2.3.4" }] },
    ),
  },
  {
    ...kind("networking.k8s.io/v1", "IngressClass", { spec: { controller: "example.com/a" } }, false, "ingressclasses"),
    creations: {
      ...each("spec/controller", undefined, "a", "example.com/", "A b/c", `example.com/${"x".repeat(250)}`),
      ...each(
        "spec/parameters",
        {},
        { kind: "A", name: "b" },
        { apiGroup: "a b", kind: "a/b", name: "c/d" },
        { kind: "A", name: "b", scope: "Other" },
        {
          kind: "A",
          name: "b",
          scope: "Namespace",
        },
        { kind: "A", name: "b", namespace: "x" },
        { kind: "A", name: "b", scope: "Namespace", namespace: "x" },
      ),
    },
    updates: each("spec/controller", "example.com/b"),
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
      ...each("spec/renewTime", "x", "2026-01-01T00:00:00.000000Z"),
    },
    updates: { ...each("spec/leaseDurationSeconds", 0, 20), ...each("spec/holderIdentity", "b") },
  },
  {
    ...kind("discovery.k8s.io/v1", "EndpointSlice", {
      addressType: "IPv4",
      endpoints: [{ addresses: ["1.2.3.4"] }],
      ports: [{ port: 80 }],
    }),
    creations: {
      ...each("addressType", undefined, "Other", "FQDN", "IPv6"),
      ...each(
        "endpoints",
        [],
        [{}],
        [{ addresses: [] }],
        [{ addresses: ["x"] }],
        [{ addresses: ["127.0.0.1"] }],
        [{ addresses: ["1.2.3.4"], hostname: "A b" }],
        [{ addresses: ["1.2.3.4"], nodeName: "A b" }],
        [{ addresses: ["1.2.3.4"], deprecatedTopology: { "a b": "c" } }],
        [{ addresses: ["1.2.3.4"], deprecatedTopology: { "kubernetes.io/hostname": "c" } }],
        [{ addresses: ["1.2.3.4"], hints: { forZones: [{ name: "A b" }, { name: "a" }, { name: "a" }] } }],
        [{ addresses: ["1.2.3.4", "1.2.3.4"] }],
        [{ addresses: ["1.2.3.4"], conditions: { ready: true }, zone: "a" }],
      ),
      ...each(
        "ports",
        [{ port: 0 }],
        [{ name: "A b", port: 80 }],
        [{ port: 80 }, { port: 81 }],
        [{ port: 80, protocol: "X" }],
        [{ port: 80, appProtocol: "a b" }],
        [{}],
        undefined,
      ),
    },
    updates: { ...each("addressType", "IPv6"), ...each("endpoints", [{ addresses: ["1.2.3.5"] }]) },
  },
];
