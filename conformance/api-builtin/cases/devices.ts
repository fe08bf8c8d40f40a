import type { JsonObject } from "@kubewright/cel/json";
import { each, type KindCases } from "../case.ts";
import { kind } from "./kind.ts";

const resource = "resource.k8s.io/v1";

const request = (more: JsonObject): JsonObject => ({
  name: "r",
  exactly: { deviceClassName: "class", ...more },
});
const expression = (text: string): JsonObject => ({ cel: { expression: text } });
const selectors = [
  [{}],
  [expression("")],
  [expression("x")],
  [expression("1")],
  [expression("true")],
  [expression("device.driver == 'a'")],
  [expression(`"${"x".repeat(10_300)}" == ""`)],
];
const configs = [
  [{}],
  [{ opaque: {} }],
  [{ opaque: { driver: "a b", parameters: {} } }],
  [{ opaque: { driver: "a.example.com", parameters: { a: 1 } } }],
  [{ opaque: { driver: "a.example.com", parameters: 5 } }],
];
const claimSpecs = {
  ...each(
    "spec/devices/requests",
    [],
    [{}],
    [request({}), request({})],
    [{ ...request({}), name: "A b" }],
    [request({ deviceClassName: "" })],
    [request({ deviceClassName: "A b" })],
    [request({ allocationMode: "Other" })],
    [request({ allocationMode: "All", count: 2 })],
    [request({ allocationMode: "ExactCount", count: 0 })],
    [request({ count: -1 })],
    [request({ adminAccess: true })],
    [request({ tolerations: [{ key: "a b", operator: "Other", effect: "Other" }] })],
    [request({ tolerations: [{ operator: "Exists", value: "x" }] })],
    ...selectors.map((list) => [request({ selectors: list })]),
    [{ name: "r", firstAvailable: [] }],
    [{ name: "r", firstAvailable: [{}] }],
    [
      {
        name: "r",
        firstAvailable: [
          { name: "a", deviceClassName: "c" },
          { name: "a", deviceClassName: "c" },
        ],
      },
    ],
    [{ ...request({}), firstAvailable: [{ name: "a", deviceClassName: "c" }] }],
    [{ name: "r" }],
  ),
  ...each(
    "spec/devices/constraints",
    [{}],
    [{ requests: ["x"], matchAttribute: "a" }],
    [{ requests: ["r", "r"], matchAttribute: "a.example.com/b" }],
    [{ matchAttribute: "a.example.com/" }],
    [{ matchAttribute: "a.example.com/b", distinctAttribute: "a.example.com/b" }],
  ),
  ...each("spec/devices/config", ...configs.map((list) => list.map((one) => ({ ...one, requests: ["r"] }))), [
    { requests: ["x"], opaque: { driver: "a.example.com", parameters: {} } },
  ]),
};

/** The cases of the kinds of device allocation. */
export const deviceKinds: KindCases[] = [
  {
    ...kind(resource, "DeviceClass", { spec: {} }, false, "deviceclasses"),
    creations: {
      ...each("spec/selectors", ...selectors),
      ...each("spec/config", ...configs),
      ...each("spec/extendedResourceName", "a", "example.com/a", "A b/c"),
    },
    updates: {
      ...each("spec/selectors", ...selectors.slice(0, 5)),
      ...each("spec/config", configs[3] as JsonObject[]),
    },
  },
  {
    ...kind(resource, "ResourceClaim", { spec: { devices: { requests: [request({})] } } }),
    creations: { ...claimSpecs, ...each("spec/devices", undefined, {}) },
    updates: each("spec/devices/requests", [request({ deviceClassName: "other" })]),
    statuses: each(
      "status",
      { reservedFor: [{ resource: "pods", name: "p", uid: "u" }] },
      { allocation: {} },
      { allocation: {}, reservedFor: [{}] },
      {
        allocation: { devices: { results: [{ request: "x", driver: "A b", pool: "", device: "" }] } },
      },
      {
        allocation: { devices: { results: [{ request: "r", driver: "d.example.com", pool: "p", device: "a" }] } },
        reservedFor: [
          { resource: "pods", name: "p", uid: "u" },
          { resource: "pods", name: "p", uid: "u" },
        ],
      },
      {
        allocation: { devices: { results: [{ request: "r", driver: "d.example.com", pool: "p", device: "a" }] } },
        devices: [{ driver: "other", pool: "p", device: "a" }],
      },
    ),
  },
  {
    ...kind(resource, "ResourceClaimTemplate", { spec: { spec: { devices: { requests: [request({})] } } } }),
    creations: {
      ...each("spec/spec/devices/requests", [{}], [request({ count: -1 })]),
      ...each("spec/metadata", { labels: { "a b": "c" } }, { labels: { a: "b" } }),
    },
    updates: {
      ...each("spec/spec/devices/requests", [request({ deviceClassName: "other" })]),
      ...each("spec/metadata", { labels: { a: "b" } }),
    },
  },
  {
    ...kind(
      resource,
      "ResourceSlice",
      {
        spec: {
          driver: "d.example.com",
          nodeName: "n",
          pool: { name: "p", resourceSliceCount: 1 },
          devices: [{ name: "a" }],
        },
      },
      false,
    ),
    creations: {
      ...each("spec/driver", undefined, "A b", "x".repeat(70)),
      ...each("spec/nodeName", undefined, "A b", ""),
      ...each("spec/allNodes", true, false),
      ...each("spec/nodeSelector", {
        nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] }],
      }),
      ...each(
        "spec/pool",
        undefined,
        { name: "A b", resourceSliceCount: 0 },
        { name: "p", generation: -1, resourceSliceCount: 1 },
      ),
      ...each(
        "spec/devices",
        [],
        [{}],
        [{ name: "A b" }],
        [{ name: "a" }, { name: "a" }],
        [{ name: "a", attributes: { "a b": { string: "x" } } }],
        [{ name: "a", attributes: { b: {} } }],
        [{ name: "a", attributes: { b: { string: "x", int: 1 } } }],
        [{ name: "a", attributes: { b: { string: "x".repeat(70) } } }],
        [{ name: "a", attributes: { b: { version: "x" } } }],
        [{ name: "a", attributes: { b: { version: "1.0.0" }, c: { bool: true }, d: { int: 5 } } }],
        [{ name: "a", capacity: { "a b": { value: "1" } } }],
        [{ name: "a", capacity: { memory: { value: "1Gi" } } }],
        [{ name: "a", taints: [{}] }],
        [{ name: "a", taints: [{ key: "a", effect: "Other" }] }],
        [{ name: "a", nodeName: "n" }],
        [{ name: "a", attributes: { b: { ints: [1] } } }],
        [{ name: "a", bindingConditions: ["a", "a b", "a"], bindingFailureConditions: ["a", "b", "b"] }],
        [{ name: "a", bindingConditions: ["a"] }],
        [{ name: "a", bindingFailureConditions: ["a"] }],
        [{ name: "a", consumesCounters: [{}] }],
        [{ name: "a", capacity: { m: { value: "1", requestPolicy: { default: "1" } } } }],
        [{ name: "a", nodeAllocatableResourceMappings: { cpu: {} } }],
      ),
      ...each("spec/perDeviceNodeSelection", true, false),
    },
    updates: {
      ...each("spec/driver", "e.example.com"),
      ...each("spec/nodeName", "m"),
      ...each("spec/pool", { name: "q", resourceSliceCount: 1 }, { name: "p", generation: 2, resourceSliceCount: 1 }),
      ...each("spec/devices", [{ name: "b" }]),
    },
  },
];
