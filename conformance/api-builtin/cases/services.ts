import { each, type KindCases } from "../case.ts";
import { kind } from "./kind.ts";

/** The cases of Services and Endpoints. */
export const serviceKinds: KindCases[] = [
  {
    ...kind("v1", "Service", { spec: { selector: { a: "b" }, ports: [{ port: 80 }] } }),
    creations: {
      ...each(
        "spec/ports",
        undefined,
        [{}],
        [{ port: 0 }],
        [{ port: 80 }, { port: 81 }],
        [
          { name: "a", port: 80 },
          { name: "a", port: 81 },
        ],
        [
          { name: "a", port: 80 },
          { name: "b", port: 80 },
        ],
        [{ port: 80, protocol: "ICMP" }],
        [{ port: 80, targetPort: 0 }],
        [{ port: 80, targetPort: 70000 }],
        [{ port: 80, targetPort: "A b" }],
        [{ port: 80, nodePort: 30001 }],
        [{ port: 80, appProtocol: "a b" }],
        [{ name: "A", port: 80 }],
        [
          { name: "a", port: 80, protocol: "UDP" },
          { name: "b", port: 80 },
        ],
      ),
      ...each("spec/selector", { "a b": "c d" }, undefined),
      ...each("spec/type", "Other", "NodePort", "LoadBalancer", "ExternalName"),
      ...each("spec/clusterIP", "None", "x", "10.0.0.300", "::1", "192.168.0.1", ""),
      ...each("spec/clusterIPs", ["10.0.0.11"], ["10.0.0.12", "10.0.0.13"], ["10.0.0.12", "::1"], ["None", "10.0.0.3"]),
      "different cluster addresses": { "spec/clusterIP": "10.0.0.11", "spec/clusterIPs": ["10.0.0.12"] },
      ...each("spec/ipFamilies", ["IPv6"], ["IPv5"], ["IPv4", "IPv4"], ["IPv4", "IPv6"], ["IPv4"]),
      ...each("spec/ipFamilyPolicy", "Other", "RequireDualStack", "PreferDualStack", "SingleStack"),
      ...each("spec/sessionAffinity", "Other", "ClientIP"),
      ...each("spec/sessionAffinityConfig", { clientIP: { timeoutSeconds: 5 } }),
      "a long session": {
        "spec/sessionAffinity": "ClientIP",
        "spec/sessionAffinityConfig": { clientIP: { timeoutSeconds: 86401 } },
      },
      "a session of no time": {
        "spec/sessionAffinity": "ClientIP",
        "spec/sessionAffinityConfig": { clientIP: { timeoutSeconds: 0 } },
      },
      ...each(
        "spec/externalIPs",
        ["x"],
        ["127.0.0.1"],
        ["0.0.0.0"],
        ["169.254.1.1"],
        ["224.0.0.1"],
        ["1.2.3.4"],
        ["001.2.3.4"],
      ),
      ...each("spec/externalTrafficPolicy", "Local", "Other"),
      ...each("spec/internalTrafficPolicy", "Local", "Other"),
      ...each("spec/loadBalancerIP", "1.2.3.4"),
      ...each("spec/loadBalancerClass", "a b", "example.com/a"),
      ...each("spec/loadBalancerSourceRanges", ["10.0.0.0/8"]),
      ...each("spec/allocateLoadBalancerNodePorts", true),
      ...each("spec/healthCheckNodePort", 30003),
      ...each("spec/publishNotReadyAddresses", true),
      ...each("spec/trafficDistribution", "Other", "PreferClose", "PreferSameNode"),
      ...each("spec/externalName", "a.b"),
      ...each("metadata/name", "A_b", "a.b", "1a"),
      "headless without a selector": { "spec/clusterIP": "None", "spec/selector": undefined },
      "headless without a selector, with one family": {
        "spec/clusterIP": "None",
        "spec/selector": undefined,
        "spec/ipFamilies": ["IPv6"],
      },
      "headless without a selector, with one family only": {
        "spec/clusterIP": "None",
        "spec/selector": undefined,
        "spec/ipFamilyPolicy": "SingleStack",
      },
      "headless without a selector, with a policy against two families": {
        "spec/clusterIP": "None",
        "spec/selector": undefined,
        "spec/ipFamilyPolicy": "SingleStack",
        "spec/ipFamilies": ["IPv4", "IPv6"],
      },
      "a headless node port": { "spec/type": "NodePort", "spec/clusterIP": "None" },
      "a headless service without ports": { "spec/clusterIP": "None", "spec/ports": undefined },
      "an external name": {
        "spec/type": "ExternalName",
        "spec/externalName": "a.example.com",
        "spec/ports": undefined,
      },
      "a bad external name": { "spec/type": "ExternalName", "spec/externalName": "A b" },
      "an external name with an address": {
        "spec/type": "ExternalName",
        "spec/externalName": "a.b",
        "spec/clusterIP": "10.0.0.5",
      },
      "an external name with families": {
        "spec/type": "ExternalName",
        "spec/externalName": "a.b",
        "spec/ipFamilies": ["IPv4"],
        "spec/ipFamilyPolicy": "SingleStack",
      },
      "a bad node port": { "spec/type": "NodePort", "spec/ports": [{ port: 80, nodePort: 80 }] },
      "node ports that repeat": {
        "spec/type": "NodePort",
        "spec/ports": [
          { name: "a", port: 80, nodePort: 30004 },
          { name: "b", port: 81, nodePort: 30004 },
        ],
      },
      "a local load balancer": {
        "spec/type": "LoadBalancer",
        "spec/externalTrafficPolicy": "Local",
        "spec/healthCheckNodePort": 30005,
      },
      "a load balancer with a check and the policy Cluster": {
        "spec/type": "LoadBalancer",
        "spec/healthCheckNodePort": 30006,
      },
      "bad source ranges": {
        "spec/type": "LoadBalancer",
        "spec/loadBalancerSourceRanges": ["x", "10.0.0.0/8 ", "1.2.3.4"],
      },
      "a load balancer's class": { "spec/type": "LoadBalancer", "spec/loadBalancerClass": "A b" },
      "a load balancer without node ports": {
        "spec/type": "LoadBalancer",
        "spec/allocateLoadBalancerNodePorts": false,
      },
      "bad annotation of source ranges": {
        "spec/type": "LoadBalancer",
        "metadata/annotations": { "service.beta.kubernetes.io/load-balancer-source-ranges": "x" },
      },
      "headless with an external policy": { "spec/clusterIP": "None", "spec/externalTrafficPolicy": "Local" },
    },
    updates: {
      ...each("spec/type", "NodePort", "LoadBalancer", "Other"),
      ...each("spec/clusterIP", "None", "10.0.0.9"),
      ...each("spec/ports", [{ port: 81 }], []),
      ...each("spec/ipFamilies", ["IPv6"]),
      ...each("spec/selector", { a: "c" }),
      ...each("spec/ipFamilyPolicy", "PreferDualStack"),
      "to an external name": { "spec/type": "ExternalName", "spec/externalName": "a.b" },
    },
    statuses: each(
      "status/loadBalancer",
      { ingress: [{ ip: "1.2.3.4" }] },
      { ingress: [{ ip: "x", hostname: "A b" }] },
      {
        ingress: [{ ip: "1.2.3.4", ipMode: "Other" }],
      },
    ),
    pairs: {
      "the class of a load balancer": [
        { "spec/type": "LoadBalancer", "spec/loadBalancerClass": "example.com/a" },
        { "spec/loadBalancerClass": "example.com/b" },
      ],
      "a headless service gets an address": [{ "spec/clusterIP": "None" }, { "spec/clusterIP": "10.0.0.8" }],
      "no longer a node port": [{ "spec/type": "NodePort" }, { "spec/type": "ClusterIP" }],
    },
  },
  {
    ...kind(
      "v1",
      "Endpoints",
      { subsets: [{ addresses: [{ ip: "1.2.3.4" }], ports: [{ port: 80 }] }] },
      true,
      "endpoints",
    ),
    creations: each(
      "subsets",
      [{}],
      [{ addresses: [{ ip: "x" }], ports: [{ port: 0 }] }],
      [{ addresses: [{ ip: "127.0.0.1" }, { ip: "169.254.1.1" }, { ip: "224.0.0.1" }, { ip: "0.0.0.0" }] }],
      [{ addresses: [{ ip: "1.2.3.4", hostname: "A b", nodeName: "A b" }] }],
      [
        {
          addresses: [{ ip: "1.2.3.4" }],
          ports: [
            { port: 80, protocol: "x" },
            { name: "B", port: 81, appProtocol: "a b" },
          ],
        },
      ],
      [{ notReadyAddresses: [{ ip: "1.2.3.4" }] }],
    ),
  },
];
