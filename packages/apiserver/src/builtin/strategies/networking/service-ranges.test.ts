import type { JsonObject } from "@kubewright/cel/json";
import { expect, test } from "vitest";
import { callsOf } from "../strategy.fixture.ts";
import { ipAddress } from "./ip-address.ts";
import { serviceCIDR } from "./service-cidr.ts";

const ranges = callsOf(serviceCIDR);
const of = (...cidrs: string[]): JsonObject => ({ spec: { cidrs } });

test.each([
  [[], "spec.cidrs: Required value: at least one CIDR required"],
  [["x"], 'spec.cidrs[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'],
  [["10.0.0.1/24"], 'spec.cidrs[0]: Invalid value: "10.0.0.1/24": must not have bits set beyond the prefix length'],
  [["2001:DB8::/64"], 'spec.cidrs[0]: Invalid value: "2001:DB8::/64": must be in canonical form ("2001:db8::/64")'],
  [
    ["10.0.0.0/24", "10.0.1.0/24"],
    'spec.cidrs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
  ],
  [["a", "b", "c"], 'spec.cidrs: Invalid value: {"CIDRs":["a","b","c"]}: may only hold up to 2 values'],
])("a ServiceCIDR with %j", (cidrs, message) => {
  expect(ranges.create(of(...cidrs)).errors).toEqual([message]);
});

test("an update of a ServiceCIDR can only add a range of the other IP family", () => {
  const { update } = ranges;
  expect(update(of("10.0.0.0/24"), of("10.0.0.0/24", "fd00::/64"))).toEqual([]);
  expect(update(of("10.0.0.0/24"), of("10.0.1.0/24"))).toEqual([
    'spec.cidrs[0]: Invalid value: "10.0.1.0/24": field is immutable',
  ]);
  expect(update(of("10.0.0.0/24"), of("10.0.1.0/24", "fd00::/64"))).toHaveLength(1);
  expect(update(of("10.0.0.0/24"), of())).toEqual(["spec.cidrs: Invalid value: []: field is immutable"]);
  expect(update(of("10.0.0.0/24"), { spec: {} })).toEqual(["spec.cidrs: Invalid value: null: field is immutable"]);
});

test("the name of an IPAddress is its address in canonical form", () => {
  const problems = (name: string): string[] | undefined => ipAddress.nameProblems?.(name, false);
  expect(problems("10.0.0.1")).toEqual([]);
  expect(problems("2001:DB8::1")).toEqual(['must be in canonical form ("2001:db8::1")']);
  expect(problems("010.0.0.1")).toEqual(["must not have leading 0s"]);
  expect(problems("x")).toEqual(["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"]);
});

test("the parent of an IPAddress can't change", () => {
  const { create, update } = callsOf(ipAddress);
  const parentRef = { resource: "services", name: "a", namespace: "default" };
  expect(create({ spec: { parentRef } }).errors).toEqual([]);
  expect(create({}).errors).toEqual(["spec.parentRef: Required value"]);
  expect(create({ spec: { parentRef: { resource: "a/b" } } }).errors).toEqual([
    `spec.parentRef.resource: Invalid value: "a/b": may not contain '/'`,
    "spec.parentRef.name: Required value",
  ]);
  expect(update({ spec: { parentRef } }, { spec: { parentRef: { ...parentRef, name: "b" } } })).toEqual([
    "spec.parentRef: Invalid value: null: field is immutable",
  ]);
});
