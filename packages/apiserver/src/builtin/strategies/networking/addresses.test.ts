import type { JsonObject } from "@kubewright/cel/json";
import { expect, test } from "vitest";
import type { ApiObject, StrategyContext } from "../../../model/resource.ts";
import { endpointSlice } from "../discovery/endpoint-slice.ts";
import { callsOf } from "../strategy.fixture.ts";
import { ingress } from "./ingress.ts";
import { networkPolicy } from "./network-policy.ts";

const policy = (cidr: string, ...except: string[]): JsonObject => ({
  spec: { podSelector: {}, egress: [{ to: [{ ipBlock: { cidr, except } }] }] },
});

test("an update of a NetworkPolicy can keep invalid ranges, but not add some", () => {
  const { create, update } = callsOf(networkPolicy);
  const path = "spec.egress[0].to[0].ipBlock";
  expect(create(policy("10.0.0.1/8", "10.1.0.0/16")).errors).toEqual([
    `${path}.cidr: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length`,
  ]);
  expect(update(policy("10.0.0.1/8"), policy("10.0.0.1/8", "10.1.1.0/16"))).toEqual([
    `${path}.except[0]: Invalid value: "10.1.1.0/16": must not have bits set beyond the prefix length`,
  ]);
});

test("a NetworkPolicy with IPv6 ranges in non-canonical form is accepted with warnings", () => {
  expect(callsOf(networkPolicy).create(policy("FD00::/8", "fd00:0::/16"))).toMatchObject({
    errors: [],
    warnings: [
      'spec.egress[0].to[0].ipBlock.cidr: IPv6 CIDR value "FD00::/8" should be in RFC 5952 canonical format ("fd00::/8")',
      'spec.egress[0].to[0].ipBlock.except[0]: IPv6 CIDR value "fd00:0::/16" should be in RFC 5952 canonical format ("fd00::/16")',
    ],
  });
});

test("an update can keep invalid addresses in the status of an Ingress, with warnings", () => {
  const status = (...ips: string[]): JsonObject => ({
    status: { loadBalancer: { ingress: ips.map((ip) => ({ ip })) } },
  });
  const { update } = callsOf(ingress);
  expect(update(status("010.0.0.1"), status("010.0.0.1", "010.0.0.2"), "status")).toEqual([
    'status.loadBalancer.ingress[1].ip: Invalid value: "010.0.0.2": must not have leading 0s',
  ]);
  const object = { metadata: { name: "a" }, ...status("010.0.0.1") } as unknown as ApiObject;
  expect(ingress.warningsOnUpdate?.(object, object, { subresource: "status" } as StrategyContext)).toEqual([
    'status.loadBalancer.ingress[0]: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"',
  ]);
});

const slice = (addressType: string, endpoint: JsonObject): JsonObject => ({ addressType, endpoints: [endpoint] });

test.each<[addressType: string, endpoint: JsonObject, errors: string[]]>([
  ["IPv4", { addresses: ["1.2.3.04"] }, ['addresses[0]: Invalid value: "1.2.3.04": must not have leading 0s']],
  [
    "IPv6",
    { addresses: ["FD00::1"] },
    ['addresses[0]: Invalid value: "FD00::1": must be in canonical form ("fd00::1")'],
  ],
  ["FQDN", { addresses: [""] }, ["addresses[0]: Required value"]],
  [
    "FQDN",
    { addresses: ["a"] },
    ['addresses[0]: Invalid value: "a": should be a domain with at least two segments separated by dots'],
  ],
  ["FQDN", { addresses: ["a.b."] }, []],
  [
    "IPv4",
    { addresses: ["1.2.3.4"], hints: { forNodes: [{ name: "a" }, { name: "a" }] } },
    ['hints.forNodes[1].name: Duplicate value: "a"'],
  ],
  [
    "IPv4",
    { addresses: ["1.2.3.4"], hints: { forNodes: Array.from({ length: 9 }, (_, index) => ({ name: `n${index}` })) } },
    ["hints.forNodes: Too many: 9: must have at most 8 items"],
  ],
])("endpoints of type %s: %j", (addressType, endpoint, errors) => {
  const { create, update } = callsOf(endpointSlice);
  const object = slice(addressType, endpoint);
  expect(create(object).errors).toEqual(errors.map((error) => `endpoints[0].${error}`));
  expect(update(object, { ...object, ports: [] })).toEqual([]);
});
