import type { JsonObject } from "@kubewright/cel/json";
import { expect, it } from "vitest";
import { callsOf } from "../../strategy.fixture.ts";
import { serviceStrategy } from "./service.ts";

const { create, update } = callsOf(serviceStrategy());
const port = { port: 80, protocol: "TCP", targetPort: 80 };
const valid = { type: "ClusterIP", ports: [port], sessionAffinity: "None" };
const balanced = {
  ...valid,
  type: "LoadBalancer",
  allocateLoadBalancerNodePorts: true,
  externalTrafficPolicy: "Cluster",
};
const onlyBalanced = "Forbidden: may only be used when `type` is 'LoadBalancer'";

it.each<[rule: string, spec: JsonObject, errors: string[]]>([
  ["a valid Service has no errors", valid, []],
  [
    "external addresses must not have a special purpose",
    { ...valid, externalIPs: ["127.0.0.1"], externalTrafficPolicy: "Cluster" },
    ['spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  ],
  [
    "sessions must last at most a day",
    { ...valid, sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } } },
    [
      "spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400",
    ],
  ],
  [
    "only load balancers can have a class",
    { ...valid, loadBalancerClass: "a" },
    [`spec.loadBalancerClass: ${onlyBalanced}`],
  ],
  [
    "only load balancers with local traffic can have a health check port",
    { ...balanced, healthCheckNodePort: 30_001 },
    [
      "spec.healthCheckNodePort: Invalid value: 30001: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
    ],
  ],
  [
    "the traffic distribution must be a supported value",
    { ...valid, trafficDistribution: "Other" },
    [
      'spec.trafficDistribution: Unsupported value: "Other": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
    ],
  ],
])("%s", (_rule, spec, errors) => {
  expect(create({ spec }).errors).toEqual(errors);
});

it("the class of a load balancer can't change", () => {
  const of = (loadBalancerClass: string): JsonObject => ({
    spec: { ...balanced, clusterIP: "10.0.0.1", clusterIPs: ["10.0.0.1"], loadBalancerClass },
  });
  expect(update(of("a"), of("b"))).toEqual(['spec.loadBalancerClass: Invalid value: "b": may not change once set']);
});

it("checks the addresses in the status of load balancers", () => {
  const status = { loadBalancer: { ingress: [{ ip: "x", ipMode: "Other" }, { hostname: "1.2.3.4" }] } };
  expect(update({ spec: valid }, { spec: valid, status }, "status")).toEqual([
    "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
  ]);
  expect(update({ spec: balanced }, { spec: balanced, status }, "status")).toEqual([
    expect.stringMatching(/^status.loadBalancer.ingress\[0\].ip: Invalid value: "x"/),
    'status.loadBalancer.ingress[0].ipMode: Unsupported value: "Other": supported values: "Proxy", "VIP"',
    'status.loadBalancer.ingress[1].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
  ]);
});

it("warns about fields that are deprecated or have no effect", () => {
  const spec = { ...valid, externalName: "a", trafficDistribution: "PreferClose", externalIPs: ["1.2.3.4"] };
  expect(create({ spec }).warnings).toEqual([
    "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
    'spec.externalName is ignored when spec.type is not "ExternalName"',
    'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
  ]);
  expect(create({ spec: { ...valid, clusterIP: "None", loadBalancerIP: "1.2.3.4" } }).warnings).toEqual([
    "spec.loadBalancerIP is ignored for headless services",
  ]);
});
