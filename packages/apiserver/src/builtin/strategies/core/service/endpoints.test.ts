import type { JsonObject } from "@kubewright/cel/json";
import { expect, test } from "vitest";
import { callsOf } from "../../strategy.fixture.ts";
import { endpoints } from "./endpoints.ts";

const { create, update } = callsOf(endpoints);
const address = { ip: "1.2.3.4" };
const errors = (...subsets: JsonObject[]): string[] => create({ subsets }).errors;

test("a subset needs addresses", () => {
  expect(errors({ addresses: [address] }, { notReadyAddresses: [address] })).toEqual([]);
  expect(errors({})).toEqual(["subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`"]);
});

test("invalid addresses and those with a special purpose are rejected", () => {
  expect(errors({ addresses: [{ ip: "x" }], notReadyAddresses: [{ ip: "127.0.0.1" }] })).toEqual([
    'subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    'subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address',
    'subsets[0].notReadyAddresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
  ]);
  expect(errors({ addresses: [{ ...address, hostname: "A", nodeName: "B" }] })).toHaveLength(2);
});

test("ports need names if a subset has several", () => {
  const port = { port: 80, protocol: "TCP" };
  expect(errors({ addresses: [address], ports: [port] })).toEqual([]);
  expect(errors({ addresses: [address], ports: [port, { name: "a", port: 0, protocol: "X" }, {}] })).toEqual([
    "subsets[0].ports[0].name: Required value",
    "subsets[0].ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive",
    'subsets[0].ports[1].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
    "subsets[0].ports[2].name: Required value",
    "subsets[0].ports[2].port: Invalid value: 0: must be between 1 and 65535, inclusive",
    "subsets[0].ports[2].protocol: Required value",
  ]);
  expect(errors({ addresses: [address], ports: [{ ...port, appProtocol: "a b" }] })).toHaveLength(1);
});

test("an update checks subsets only if they change", () => {
  expect(update({ subsets: [{}] }, { subsets: [{}] })).toEqual([]);
  expect(update({ subsets: [{}] }, { subsets: [{}, {}] })).toHaveLength(2);
});

test("addresses in unusual forms get warnings, unless the controller writes them", () => {
  const subsets = [{ addresses: [{ ip: "010.0.0.1" }] }];
  expect(create({ subsets }).warnings).toHaveLength(1);
  const labels = { "endpoints.kubernetes.io/managed-by": "endpoint-controller" };
  expect(create({ metadata: { name: "a", labels }, subsets }).warnings).toEqual([]);
});
