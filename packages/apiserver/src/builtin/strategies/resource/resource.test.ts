import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, test } from "vitest";
import type { ApiObject, StrategyContext } from "../../../model/resource.ts";
import { callsOf } from "../strategy.fixture.ts";
import { deviceClass } from "./device-class.ts";
import { deviceTaintRule } from "./device-taint-rule.ts";
import { resourceClaim, resourceClaimTemplate } from "./resource-claim.ts";
import { resourceSlice } from "./resource-slice.ts";

const exact = { deviceClassName: "c", allocationMode: "ExactCount", count: 1 };
const oneKind = "exactly one of `exactly` or `firstAvailable` is required";

describe("DeviceClasses", () => {
  const { create } = callsOf(deviceClass);
  const errors = (spec: JsonObject): string[] => create({ spec }).errors;

  test("select devices with expressions about them", () => {
    const of = (expression: string): string[] => errors({ selectors: [{ cel: { expression } }] });
    expect(
      of(`device.driver == "a" && device.attributes["a"].b && device.capacity["a"].c.isGreaterThan(quantity("1"))`),
    ).toEqual([]);
    expect(of("device.driver")).toEqual([
      'spec.selectors[0].cel.expression: Invalid value: "device.driver": must evaluate to bool or the unknown type, not string',
    ]);
    expect(of("")).toEqual([
      expect.stringContaining(
        `Invalid value: "": compilation failed: ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>'`,
      ),
    ]);
    expect(errors({ selectors: [{}] })).toEqual(["spec.selectors[0].cel: Required value"]);
    expect(of("cel.bind(one, device.attributes['a'], one.b && one.c)")).toEqual([]);
    expect(of("dyn(true)")).toEqual([
      'spec.selectors[0].cel.expression: Invalid value: "dyn(true)": must evaluate to bool or the unknown type, not dyn',
    ]);
    expect(of("device.attributes['a'].b.exists(x, x)")).toEqual([
      expect.stringContaining("expression of type 'any' cannot be range of a comprehension"),
    ]);
  });

  test("select devices with expressions that take limited time", () => {
    const nested = (...names: string[]): string =>
      names.reduceRight((body, name) => `device.attributes.exists(${name}, ${body})`, "device.driver == w");
    const of = (expression: string): string[] => errors({ selectors: [{ cel: { expression } }] });
    expect(of(nested("w", "x", "y"))).toEqual([]);
    expect(of(nested("w", "x", "y", "z"))).toEqual([
      "spec.selectors[0].cel.expression: Forbidden: too complex, exceeds cost limit",
    ]);
  });

  test("have parameters of drivers and the name of an extended resource", () => {
    expect(errors({ config: [{ opaque: { driver: "a", parameters: {} } }], extendedResourceName: "a.b/c" })).toEqual(
      [],
    );
    expect(errors({ config: [{}, { opaque: { parameters: 1 } }], extendedResourceName: "cpu" })).toEqual([
      "spec.config[0].opaque: Required value",
      "spec.config[1].opaque.driver: Required value",
      'spec.config[1].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object',
      `spec.extendedResourceName: Invalid value: "cpu": a name must be a domain-prefixed path, such as 'example.com/my-prop'`,
    ]);
  });
});

describe("ResourceClaims", () => {
  const { create, update } = callsOf(resourceClaim);
  const errors = (devices: JsonObject): string[] => create({ spec: { devices } }).errors;

  test("request devices in one of two ways", () => {
    expect(errors({ requests: [{ name: "a", exactly: exact }] })).toEqual([]);
    expect(errors({ requests: [{ name: "a" }, { name: "a", exactly: exact, firstAvailable: [exact] }] })).toEqual([
      `spec.devices.requests[0]: Required value: ${oneKind}`,
      `spec.devices.requests[1]: Invalid value: null: ${oneKind}, but multiple fields are set`,
      expect.stringMatching(/^spec.devices.requests\[1\]: Duplicate value: {"name":"a","exactly":{/),
    ]);
    expect(errors({ requests: [{ name: "a", exactly: { allocationMode: "All", count: 1 } }] })).toEqual([
      "spec.devices.requests[0].exactly.deviceClassName: Required value",
      "spec.devices.requests[0].exactly.count: Invalid value: 1: must not be specified when allocationMode is 'All'",
    ]);
  });

  test("tolerate taints", () => {
    const tolerations = [
      { operator: "Exists", value: "a" },
      { operator: "Other", effect: "Other" },
    ];
    expect(errors({ requests: [{ name: "a", exactly: { ...exact, tolerations } }] })).toEqual([
      'spec.devices.requests[0].exactly.tolerations[0].value: Invalid value: "a": must be empty for operator `Exists`',
      'spec.devices.requests[0].exactly.tolerations[1].operator: Unsupported value: "Other": supported values: "Equal", "Exists"',
      'spec.devices.requests[0].exactly.tolerations[1].effect: Unsupported value: "Other": supported values: "NoExecute", "NoSchedule", "None"',
    ]);
  });

  test("refer to their requests in constraints and configurations", () => {
    const requests = [{ name: "a", firstAvailable: [{ name: "b", ...exact }] }];
    const config = [{ requests: ["a", "a/b"], opaque: { driver: "d", parameters: {} } }];
    const detail =
      "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
    expect(errors({ requests, config, constraints: [{ requests: ["a"], matchAttribute: "d/e" }] })).toEqual([]);
    expect(errors({ requests, constraints: [{ requests: ["b", "b"], matchAttribute: "e" }] })).toEqual([
      `spec.devices.constraints[0].requests[0]: Invalid value: "b": ${detail}`,
      `spec.devices.constraints[0].requests[1]: Invalid value: "b": ${detail}`,
      'spec.devices.constraints[0].requests[1]: Duplicate value: "b"',
      'spec.devices.constraints[0].matchAttribute: Invalid value: "e": a fully qualified name must be a domain and a name separated by a slash',
    ]);
  });

  test("can have admin access only in namespaces with a label", () => {
    expect(errors({ requests: [{ name: "a", exactly: { ...exact, adminAccess: true } }] })).toEqual([
      "spec.devices.requests[0].adminAccess: Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace",
    ]);
  });

  test("can't change", () => {
    const of = (name: string): JsonObject => ({ spec: { devices: { requests: [{ name, exactly: exact }] } } });
    expect(update(of("a"), of("a"))).toEqual([]);
    expect(update(of("a"), of("b"))).toEqual(["spec: Invalid value: null: field is immutable"]);
  });

  test("are reserved once they are allocated", () => {
    const spec = { devices: { requests: [{ name: "a", exactly: exact }] } };
    const result = { request: "a", driver: "d", pool: "p", device: "e" };
    const reservedFor = [{ resource: "pods", name: "a", uid: "u" }];
    const of = (status: JsonObject): JsonObject => ({ spec, status });
    const change = (status: JsonObject): string[] => update(of({}), of(status), "status");
    expect(change({ reservedFor, allocation: { devices: { results: [result] } } })).toEqual([]);
    expect(change({ reservedFor: [...reservedFor, ...reservedFor] })).toEqual([
      'status.reservedFor[1]: Duplicate value: {"resource":"pods","name":"a","uid":"u"}',
      "status.reservedFor: Forbidden: may not be specified when `allocated` is not set",
    ]);
    expect(change({ allocation: { devices: { results: [{ ...result, pool: "" }] } }, devices: [result] })).toEqual([
      'status.devices[0]: Invalid value: {"Driver":"d","Pool":"p","Device":"e","ShareID":""}: must be an allocated device in the claim',
      "status.allocation.devices.results[0].pool: Required value",
    ]);
  });
});

test("the status of a ResourceClaim contains the allocated devices", () => {
  const { update } = callsOf(resourceClaim);
  const spec = { devices: { requests: [{ name: "a", exactly: exact }] } };
  const device = { driver: "d", pool: "p", device: "e" };
  const allocation = { devices: { results: [{ request: "a", ...device }] } };
  const errors = (...devices: JsonObject[]): string[] =>
    update({ spec }, { spec, status: { allocation, devices } }, "status");
  const networkData = { interfaceName: "eth0", ips: ["10.0.0.1/24", "fd00::1/64"] };
  expect(errors({ ...device, data: { a: 1 }, networkData })).toEqual([]);
  expect(errors(device, device)).toEqual([
    'status.devices[1]: Duplicate value: {"Driver":"d","Pool":"p","Device":"e","ShareID":""}',
  ]);
  const ips = ["1.2.3.4", "010.0.0.1/24", "::ffff:1.2.3.4/120"];
  expect(errors({ ...device, data: 1, networkData: { interfaceName: "x".repeat(257), ips } })).toEqual([
    'status.devices[0].data: Invalid value: "<value omitted>": must be a valid JSON object',
    "status.devices[0].networkData.interfaceName: Too long: may not be more than 256 bytes",
    'status.devices[0].networkData.ips[0]: Invalid value: "1.2.3.4": must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)',
    'status.devices[0].networkData.ips[1]: Invalid value: "010.0.0.1/24": must be in canonical form ("10.0.0.1/24")',
    'status.devices[0].networkData.ips[2]: Invalid value: "::ffff:1.2.3.4/120": must be in canonical form ("1.2.3.4/24")',
  ]);
});

test("templates of ResourceClaims check the metadata and the claim", () => {
  const { create, update } = callsOf(resourceClaimTemplate);
  const of = (labels: JsonObject, name = "a"): JsonObject => ({
    spec: { metadata: { labels }, spec: { devices: { requests: [{ name, exactly: exact }] } } },
  });
  expect(create(of({ a: "b" })).errors).toEqual([]);
  expect(create(of({ a: "b c" })).errors).toEqual([
    expect.stringMatching(/^spec\.metadata\.labels: Invalid value: "b c"/),
  ]);
  expect(update(of({ a: "b" }), of({ a: "c" }, "B"))).toEqual([
    expect.stringMatching(/^spec\.spec\.devices\.requests\[0\]\.name: Invalid value: "B"/),
    expect.stringMatching(/^spec: Invalid value: \{"labels":\{"a":"c"\},"Spec":.*: field is immutable$/),
  ]);
});

describe("ResourceSlices", () => {
  const { create, update } = callsOf(resourceSlice);
  const slice = { driver: "d", nodeName: "n", pool: { name: "p", resourceSliceCount: 1 } };
  const errors = (spec: JsonObject): string[] => create({ spec: { ...slice, ...spec } }).errors;
  const deviceErrors = (device: JsonObject): string[] => errors({ devices: [{ name: "a", ...device }] });
  const oneSelection = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";

  test("belong to a driver, a pool and nodes", () => {
    expect(errors({})).toEqual([]);
    expect(errors({ driver: "", pool: { generation: -1 }, nodeName: null })).toEqual([
      "spec.driver: Required value",
      "spec.pool.name: Required value",
      "spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero",
      "spec.pool.generation: Invalid value: -1: must be greater than or equal to zero",
      `spec: Required value: ${oneSelection}`,
    ]);
    expect(errors({ allNodes: true, perDeviceNodeSelection: false })).toEqual([
      "spec.perDeviceNodeSelection: Invalid value: false: must be either unset or set to true",
      `spec: Invalid value: "{\`nodeName\`, \`allNodes\`}": ${oneSelection}, but multiple fields are set`,
    ]);
    expect(update({ spec: slice }, { spec: { ...slice, driver: "e", nodeName: "m" } })).toEqual([
      'spec.driver: Invalid value: "e": field is immutable',
      'spec.nodeName: Invalid value: "m": field is immutable',
    ]);
    expect(create({ spec: { ...slice, driver: "D" } }).warnings).toEqual([
      'spec.driver: driver names should be lowercase; "D" contains uppercase characters',
    ]);
  });

  test("have devices with attributes of one kind", () => {
    const kinds = "`int`, `bool`, `string`, `version`, `ints`, `bools`, `strings`, `versions`";
    const attributes = { a: { int: 1 }, "d/b": { version: "1.2.3-a.1+b" } };
    expect(deviceErrors({ attributes, capacity: { a: { value: "1" } } })).toEqual([]);
    expect(deviceErrors({ attributes: { a: {}, b: { int: 1, string: "x" }, c: { version: "01.2.3" } } })).toEqual([
      `spec.devices[0].attributes[a]: Invalid value: "": must specify one of: ${kinds}`,
      `spec.devices[0].attributes[b]: Invalid value: "{int, string}": must specify exactly one of: ${kinds}`,
      'spec.devices[0].attributes[c].version: Invalid value: "01.2.3": must be a string compatible with semver.org spec 2.0.0',
    ]);
    const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`a${index}`, { int: 1 }]));
    expect(deviceErrors({ attributes: many })).toEqual([
      "spec.devices[0]: Invalid value: 33: the total number of attributes and capacities must not exceed 32",
    ]);
    expect(deviceErrors({ attributes: { a: { ints: [1] } } })).toEqual([
      `spec.devices[0].attributes[a]: Invalid value: "": must specify one of: ${kinds}`,
    ]);
  });

  test("have devices with taints, conditions and nodes", () => {
    expect(deviceErrors({ taints: [{ key: "a", effect: "Other" }] })).toEqual([
      'spec.devices[0].taints[0].effect: Unsupported value: "Other": supported values: "NoExecute", "NoSchedule", "None"',
    ]);
    expect(deviceErrors({ bindingConditions: ["a", "a"], bindingFailureConditions: ["a"] })).toEqual([
      'spec.devices[0].bindingConditions[1]: Duplicate value: "a"',
      'spec.devices[0].bindingFailureConditions[0]: Invalid value: "a": bindingFailureConditions must not overlap with bindingConditions',
    ]);
    expect(errors({ nodeName: null, perDeviceNodeSelection: true, devices: [{ name: "a", allNodes: true }] })).toEqual(
      [],
    );
    expect(deviceErrors({ allNodes: true })).toEqual([
      "spec.devices[0]: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec",
    ]);
  });

  test("have a selector of nodes with one term", () => {
    const term = { matchExpressions: [{ key: "a", operator: "Exists" }] };
    const of = (...nodeSelectorTerms: JsonObject[]): string[] =>
      errors({ nodeName: null, nodeSelector: { nodeSelectorTerms } });
    expect(of(term)).toEqual([]);
    expect(of().at(-1)).toBe(
      "spec.nodeSelector.nodeSelectorTerms: Invalid value: []: must have exactly one node selector term",
    );
    expect(of(term, {})).toEqual([
      'spec.nodeSelector.nodeSelectorTerms: Invalid value: [{"MatchExpressions":[{"Key":"a","Operator":"Exists","Values":null}],"MatchFields":null},{"MatchExpressions":null,"MatchFields":null}]: must have exactly one node selector term',
    ]);
  });

  test("have sets of counters instead of devices", () => {
    const sharedCounters = [{ name: "a", counters: { b: { value: "1" } } }, { name: "a" }];
    expect(errors({ sharedCounters, devices: [] })).toEqual([
      'spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed',
      "spec.sharedCounters[1].counters: Required value",
      'spec.sharedCounters[1]: Duplicate value: {"name":"a"}',
    ]);
  });
});

test("the status of a ResourceClaim contains nothing about released devices", () => {
  const spec = { devices: { requests: [{ name: "r", exactly: exact }] } };
  const device = { driver: "d", pool: "p", device: "e" };
  const allocation = { devices: { results: [{ request: "r", ...device }] } };
  const [object, old] = [
    { metadata: { name: "a" }, spec, status: { devices: [device] } },
    { metadata: { name: "a" }, spec, status: { allocation, devices: [device] } },
  ];
  const context = { now: 0, subresource: "status" } as StrategyContext;
  resourceClaim.prepareForUpdate?.(object as unknown as ApiObject, old as unknown as ApiObject, context);
  expect(object.status).toEqual({});
});

test("the status of a ResourceClaim has identifiers and conditions of shared devices", () => {
  const { update } = callsOf(resourceClaim);
  const spec = { devices: { requests: [{ name: "r", exactly: exact }] } };
  const device = { request: "r", driver: "d", pool: "p", device: "e" };
  const change = (fields: JsonObject): string[] =>
    update({ spec }, { spec, status: { allocation: { devices: { results: [{ ...device, ...fields }] } } } }, "status");
  const at = "status.allocation.devices.results[0]";
  const id = "12345678-90ab-cdef-1234-567890abcdef";
  expect(change({ shareID: id, bindingConditions: ["a"], bindingFailureConditions: ["b"] })).toEqual([]);
  expect(change({ bindingConditions: ["a"] })).toEqual([
    `${at}.bindingFailureConditions: Invalid value: null: bindingFailureConditions are required to use bindingConditions`,
  ]);
  const form =
    "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters";
  const problems: [shareID: string, problem: string][] = [
    [id.toUpperCase(), form],
    [`{${id}}`, form],
    [`urn:uuid:${id}`, form],
    [id.replaceAll("-", ""), form],
    [id.replaceAll("-", "x"), "error validating uid: invalid UUID format"],
    [`(${id})`, "error validating uid: invalid bracketed UUID format"],
    [`urn:abcd:${id}`, 'error validating uid: invalid urn prefix: "urn:abcd:"'],
    ["a", "error validating uid: invalid UUID length: 1"],
  ];
  for (const [shareID, problem] of problems) {
    expect(change({ shareID })).toEqual([`${at}.shareID: Invalid value: ${JSON.stringify(shareID)}: ${problem}`]);
  }
});

test("the status of a claim can grant admin access only in labeled namespaces", () => {
  const spec = { devices: { requests: [{ name: "r", exactly: exact }] } };
  const results = [{ request: "r", driver: "d", pool: "p", device: "e", adminAccess: true }];
  const of = (status: JsonObject): ApiObject =>
    ({ metadata: { name: "a", namespace: "n" }, spec, status }) as unknown as ApiObject;
  const change = (labels: Record<string, string>): string[] => {
    const get = (): ApiObject => ({ metadata: { name: "n", labels } }) as unknown as ApiObject;
    const context = { now: 0, subresource: "status", get } as unknown as StrategyContext;
    const errors = resourceClaim.validateUpdate?.(of({ allocation: { devices: { results } } }), of({}), context);
    return (errors ?? []).map(({ field }) => field);
  };
  expect(change({})).toEqual(["status.allocation.devices.results[0].adminAccess"]);
  expect(change({ "resource.kubernetes.io/admin-access": "true" })).toEqual([]);
});

describe("DeviceTaintRules", () => {
  const { create, update } = callsOf(deviceTaintRule);
  const of = (taint: JsonObject, deviceSelector: JsonObject = {}): JsonObject => ({ spec: { deviceSelector, taint } });
  const taint = { key: "a", effect: "NoSchedule" };

  test("select devices by valid names", () => {
    expect(create(of(taint, { driver: "d.example.com", pool: "p", device: "d" })).errors).toEqual([]);
    expect(create(of({ ...taint, effect: "X" }, { device: "D" })).errors).toEqual([
      expect.stringMatching(/^spec.deviceSelector.device: Invalid value: "D"/),
      'spec.taint.effect: Unsupported value: "X": supported values: "NoExecute", "NoSchedule", "None"',
    ]);
  });

  test("have the time of their taint, and at most 8 conditions", () => {
    expect(create(of(taint)).object.spec).toMatchObject({ taint: { timeAdded: "1970-01-01T00:00:00Z" } });
    const condition = { status: "True", reason: "R", lastTransitionTime: "2026-01-01T00:00:00Z", message: "" };
    const conditions = Array.from({ length: 9 }, (_, index) => ({ ...condition, type: `T${index}` }));
    expect(update(of(taint), { ...of(taint), status: { conditions } }, "status")).toEqual([
      "status.conditions: Too many: 9: must have at most 8 items",
    ]);
  });
});

describe("capacities that several claims share", () => {
  const { create } = callsOf(resourceSlice);
  const errors = (value: string, requestPolicy: JsonObject): string[] =>
    create({
      spec: {
        driver: "d.example.com",
        pool: { name: "p", resourceSliceCount: 1 },
        nodeName: "n",
        devices: [{ name: "d", allowMultipleAllocations: true, capacity: { a: { value, requestPolicy } } }],
      },
    }).errors.map((text) => text.replace("spec.devices[0].capacity[a].requestPolicy", "…"));

  test("have requests of listed values", () => {
    expect(errors("100", { default: "10", validValues: ["5", "10", "100"] })).toEqual([]);
    expect(errors("100", { validValues: ["5"] })).toEqual([
      "….default: Required value: required when validValues is defined",
    ]);
    expect(errors("7", { default: "6", validValues: ["5", "4", "8"] })).toEqual([
      '….validValues[1]: Invalid value: "4": values must be sorted in ascending order',
      '….validValues[2]: Invalid value: "8": option is larger than capacity value: 7',
      '….validValues: Invalid value: "6": default value is not valid according to the requestPolicy',
    ]);
    // Values are compared as integers, rounded up.
    expect(errors("100", { default: "10", validValues: ["9900m", "10"] })).toEqual([
      '….validValues[1]: Duplicate value: "10"',
    ]);
  });

  test("have requests in a range, in steps", () => {
    expect(errors("100", { default: "10", validRange: { min: "1", max: "100", step: "3" } })).toEqual([]);
    expect(errors("100", { default: "0", validRange: { min: "1", max: "200" } })).toEqual([
      '….validRange.default: Invalid value: "0": default is less than min: 1',
      '….validRange.max: Invalid value: "200": max is larger than capacity value: 100',
    ]);
    expect(errors("1Gi", { default: "10Mi", validRange: { min: "1Mi", step: "0" } })).toEqual([
      '….validRange.step: Invalid value: "0": must be greater than zero',
    ]);
    expect(errors("100", { default: "0", validRange: { min: "-1", step: "1" } })).toEqual([
      '….validRange.min: Invalid value: "-1": must be greater than or equal to 0',
    ]);
    expect(errors("100", { default: "5", validRange: { min: "1", step: "3" } })).toEqual([
      '….validRange.step: Invalid value: "5": value is not a multiple of a given step (3) from (1)',
    ]);
    expect(errors("100", { default: "5", validRange: { min: "1" }, validValues: ["5"] })).toEqual([
      '…: Forbidden: exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time',
    ]);
  });
});

test("fields of alpha features of 1.37 are dropped", () => {
  const request = { name: "r", exactly: { ...exact, derivedAttributes: [{ name: "a", expression: "1" }] } };
  const claim = callsOf(resourceClaim).create({ spec: { devices: { requests: [request] } } }).object;
  expect(claim.spec).toEqual({ devices: { requests: [{ name: "r", exactly: exact }] } });
  const counters = { counterSet: "s", counters: { c: { value: "1" } } };
  const slice = callsOf(resourceSlice).create({
    spec: {
      ...{ partitionTypeAttribute: "a/b", skipNodeOperations: ["*"] },
      devices: [{ name: "d", consumesCounters: [{ ...counters, compatibilityGroups: ["g"] }] }],
    },
  }).object;
  expect(slice.spec).toEqual({ devices: [{ name: "d", consumesCounters: [counters] }] });
});
