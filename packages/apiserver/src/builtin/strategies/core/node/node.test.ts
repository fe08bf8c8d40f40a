import { expect, it } from "vitest";
import { callsOf } from "../../strategy.fixture.ts";
import { node } from "./node.ts";

const { create, update } = callsOf(node);
const fixed = 'Forbidden: node updates may not change podCIDR except from "" to valid';

it("checks the keys, values and effects of taints, and that they are unique", () => {
  const taint = { key: "a", effect: "NoSchedule" };
  expect(create({ spec: { taints: [taint, { ...taint, effect: "NoExecute" }] } }).errors).toEqual([]);
  expect(create({ spec: { taints: [taint, { ...taint, value: "x" }] } }).errors).toEqual([
    'metadata.taints[1]: Duplicate value: {"Key":"a","Value":"x","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
  ]);
  expect(create({ spec: { taints: [{ key: "a" }] } }).errors).toEqual(["metadata.taints[0].effect: Required value"]);
});

it("accepts one address range per IP family", () => {
  expect(create({ spec: { podCIDRs: ["10.1.0.0/24", "fd00::/64"] } }).errors).toEqual([]);
  expect(create({ spec: { podCIDRs: ["10.1.0.0/24", "10.2.0.0/24"] } }).errors).toEqual([
    'spec.podCIDRs: Invalid value: ["10.1.0.0/24","10.2.0.0/24"]: may specify no more than one CIDR for each IP family',
  ]);
  expect(create({ spec: { podCIDRs: ["x"] } }).errors).toHaveLength(1);
});

it("checks the resources in the status of new nodes", () => {
  const { errors } = create({ status: { capacity: { cpu: "-1" } } });
  expect(errors).toEqual(['status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0']);
});

it("address ranges and the provider ID can't change after they are set", () => {
  expect(update({}, { spec: { podCIDRs: ["10.1.0.0/24"], providerID: "a" } })).toEqual([]);
  expect(update({ spec: { podCIDRs: ["10.1.0.0/24"] } }, {})).toEqual([`spec.podCIDRs: ${fixed}`]);
  expect(update({ spec: { providerID: "a" } }, { spec: { providerID: "b" } })).toEqual([
    "spec.providerID: Invalid value: null: field cannot be modified once set",
  ]);
});

it("an update can't add the same address to a node twice", () => {
  const address = { type: "InternalIP", address: "1.2.3.4" };
  expect(update({}, { status: { addresses: [address, address] } }, "status")).toEqual([
    'status.addresses[1]: Duplicate value: {"Type":"InternalIP","Address":"1.2.3.4"}',
  ]);
});

it("drops the configuration that nodes no longer have, and warns about old fields", () => {
  const { object, warnings } = create({ spec: { externalID: "a", configSource: {} } });
  expect(object.spec).toEqual({ externalID: "a" });
  expect(warnings).toEqual(["spec.externalID: this field is deprecated, and is unused by Kubernetes"]);
});

it("checks the annotations of older versions", () => {
  const prefix = "scheduler.alpha.kubernetes.io/";
  const errors = (annotations: Record<string, string>): string[] =>
    create({ metadata: { name: "a", annotations } }).errors;
  expect(errors({ [`${prefix}taints`]: "x", [`${prefix}preferAvoidPods`]: "{" })).toEqual([
    `metadata.annotations: Invalid value: "${prefix}taints": invalid character 'x' looking for beginning of value`,
    `metadata.annotations.AvoidPods: Invalid value: "${prefix}preferAvoidPods": unexpected end of JSON input`,
  ]);
  const entries = [{}, { podSignature: { podController: { controller: true } } }];
  const taints = [{ key: "a", effect: "X" }];
  const values = { [`${prefix}taints`]: JSON.stringify(taints) };
  expect(errors(values)).toHaveLength(1);
  expect(errors({ [`${prefix}preferAvoidPods`]: JSON.stringify({ preferAvoidPods: entries }) })).toEqual([
    `metadata.annotations.${prefix}preferAvoidPods[0].PodSignature: Required value`,
  ]);
});
