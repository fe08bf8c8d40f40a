import type { JsonObject } from "@kubewright/cel/json";
import { each, type KindCases } from "../case.ts";
import { kind } from "./kind.ts";

const backend = { service: { name: "a", port: { number: 80 } } };
const http = (...paths: JsonObject[]): JsonObject[] => [{ http: { paths } }];

/** The cases of the kinds of networking and of EndpointSlices. */
export const networkKinds: KindCases[] = [
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
