import type { JsonObject } from "@kubewright/cel/json";
import { expect, test } from "vitest";
import { callsOf } from "../strategy.fixture.ts";
import { apiService } from "./api-service.ts";

const { create, update } = callsOf(apiService);
const metadata = { name: "v1.a.example.com", resourceVersion: "1" };
const spec = {
  group: "a.example.com",
  version: "v1",
  groupPriorityMinimum: 10,
  versionPriority: 10,
  service: { namespace: "n", name: "s", port: 443 },
};
const cases: [JsonObject, string[]][] = [
  [{}, []],
  [
    { version: "v2", groupPriorityMinimum: 20_001, versionPriority: 0 },
    [
      'metadata.name: Invalid value: "v1.a.example.com": must be `spec.version+"."+spec.group`: "v2.a.example.com"',
      "spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000",
      "spec.versionPriority: Invalid value: 0: must be positive and less than 1000",
    ],
  ],
  [
    { service: { port: 0 }, insecureSkipTLSVerify: true, caBundle: "eA==" },
    [
      "spec.service.namespace: Required value",
      "spec.service.name: Required value",
      "spec.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive",
      "spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present",
    ],
  ],
  [
    { service: null, insecureSkipTLSVerify: true, caBundle: "eA==" },
    [
      'spec.caBundle: Invalid value: "1 bytes": local APIServices may not have a caBundle',
      "spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify",
    ],
  ],
];

test.each(cases)("%j", (changes, expected) => {
  expect(create({ metadata, spec: { ...spec, ...changes } }).errors).toEqual(expected);
  expect(update({ metadata, spec }, { metadata, spec: { ...spec, ...changes } })).toEqual(expected);
});

test("a group without a service is available at once", () => {
  const { service: _service, ...local } = spec;
  expect(create({ metadata, spec: local }).object.status).toMatchObject({
    conditions: [{ type: "Available", status: "True", reason: "Local" }],
  });
  expect(create({ metadata, spec }).object).not.toHaveProperty("status");
});

test("conditions have a status", () => {
  const status = { conditions: [{ type: "Available", status: "X" }] };
  expect(update({ metadata, spec }, { metadata, spec, status }, "status")).toEqual([
    'status.conditions[0].status: Unsupported value: "X": supported values: "True", "False", "Unknown"',
  ]);
});
