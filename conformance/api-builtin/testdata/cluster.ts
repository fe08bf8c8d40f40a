import type { JsonObject } from "../../../apiserver/src/json/json.ts";
import { each, type KindCases } from "../case.ts";

function kind(
  apiVersion: string,
  name: string,
  plural: string,
  rest: JsonObject,
  namespaced = false,
): Pick<KindCases, "path" | "object"> {
  const path = `/apis/${apiVersion}${namespaced ? "/namespaces/default" : ""}/${plural}`;
  return { path, object: { apiVersion, kind: name, metadata: { name: name.toLowerCase() }, ...rest } };
}

const storage = "storage.k8s.io/v1";
const networking = "networking.k8s.io/v1";
const flowcontrol = "flowcontrol.apiserver.k8s.io/v1";
const resource = "resource.k8s.io/v1";

const subject = { kind: "User", user: { name: "a" } };
const resourceRule = { verbs: ["get"], apiGroups: [""], resources: ["pods"], namespaces: ["*"] };
const flowRule = { subjects: [subject], resourceRules: [resourceRule] };
const flowRules = (...rules: JsonObject[]): JsonObject[] => rules;

const limited = (more: JsonObject): JsonObject => ({
  type: "Limited",
  limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" }, ...more },
});
const queuing = (values: JsonObject): JsonObject => limited({ limitResponse: { type: "Queue", queuing: values } });

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

const certificateRequest =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIR01HNENBUUF3RERFS01BZ0dBMVVFQXd3QllUQlpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQQpCRjE2NGU1S08vOVBUbE1Ld1krRGs0MkZiZ2VsTTFqaVl1QjJ4NlpFZXh4TDQ5UU5pdk0wSksyMkR6V0JjZ05NCjFYcUZLOElVZXNtVnFJTnVvTlNiOHN1Z0FEQUtCZ2dxaGtqT1BRUURBZ05JQURCRkFpRUE5NnhFY1hXTjdUYWwKeWVBb3JxZWVzeTc0VTJPNHlHeUVzV1V5QXNQdC9kSUNJRWM0dEtBK0N3Szl2WEZGb2c5aVQ0RkpxOGxXakFCaQpoVHdPblV6V2kzQUUKLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";

/** The cases of kinds of the cluster that only administrators and drivers write. */
export const clusterKinds: KindCases[] = [
  {
    ...kind(storage, "CSINode", "csinodes", { spec: { drivers: [{ name: "a.example.com", nodeID: "n" }] } }),
    creations: {
      ...each(
        "spec/drivers",
        [],
        [{}],
        [{ name: "A b", nodeID: "n" }],
        [{ name: "a", nodeID: "" }],
        [{ name: "a", nodeID: "x".repeat(260) }],
        [
          { name: "a", nodeID: "n" },
          { name: "a", nodeID: "m" },
        ],
        [{ name: "a", nodeID: "n", allocatable: { count: -1 } }],
        [{ name: "a", nodeID: "n", topologyKeys: ["a b", ""] }],
        [{ name: "a", nodeID: "n", topologyKeys: ["a", "a"] }],
        [{ name: "x".repeat(70), nodeID: "n" }],
      ),
    },
    updates: each(
      "spec/drivers",
      [],
      [{ name: "a.example.com", nodeID: "other" }],
      [{ name: "a.example.com", nodeID: "n", topologyKeys: ["a"] }],
      [{ name: "a.example.com", nodeID: "n", allocatable: { count: 5 } }],
      [
        { name: "a.example.com", nodeID: "n" },
        { name: "b", nodeID: "n" },
      ],
    ),
  },
  {
    ...kind(
      storage,
      "CSIStorageCapacity",
      "csistoragecapacities",
      { storageClassName: "a", nodeTopology: {}, capacity: "1Gi" },
      true,
    ),
    creations: {
      ...each("storageClassName", undefined, "A b"),
      ...each("capacity", "-1", undefined),
      ...each("maximumVolumeSize", "-1", "1Gi"),
      ...each("nodeTopology", undefined, { matchLabels: { "a b": "c" } }),
    },
    updates: {
      ...each("storageClassName", "b"),
      ...each("nodeTopology", { matchLabels: { a: "b" } }),
      ...each("capacity", "2Gi"),
    },
  },
  {
    ...kind(storage, "VolumeAttachment", "volumeattachments", {
      spec: { attacher: "a.example.com", nodeName: "n", source: { persistentVolumeName: "v" } },
    }),
    creations: {
      ...each("spec/attacher", undefined, "A b", "x".repeat(70)),
      ...each("spec/nodeName", undefined, "A b"),
      ...each(
        "spec/source",
        undefined,
        {},
        { persistentVolumeName: "" },
        { persistentVolumeName: "A b" },
        { persistentVolumeName: "v", inlineVolumeSpec: { capacity: { storage: "1Gi" } } },
        {
          inlineVolumeSpec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath: { path: "/a" } },
        },
        {
          inlineVolumeSpec: {
            accessModes: ["ReadWriteOnce"],
            capacity: { storage: "1Gi" },
            csi: { driver: "a.example.com", volumeHandle: "h" },
          },
        },
      ),
      ...each("status", { attached: true }, { attached: false, attachError: { message: "m", errorCode: 5 } }),
    },
    updates: each("spec/nodeName", "m", undefined),
    statuses: each(
      "status",
      { attached: true },
      { attached: true, attachmentMetadata: { a: "x".repeat(1100) } },
      { attached: true, attachError: { message: "x".repeat(1100) } },
      { attached: true, attachError: { message: "m", errorCode: 5 }, detachError: { message: "n", errorCode: -5 } },
    ),
  },
  {
    path: `/apis/${networking}/ipaddresses`,
    object: {
      apiVersion: networking,
      kind: "IPAddress",
      metadata: { name: "192.168.5.5" },
      spec: { parentRef: { resource: "services", name: "a", namespace: "default" } },
    },
    creations: {
      ...each("metadata/name", "x", "192.168.005.6", "::ffff:1.2.3.4", "2001:DB8::1", "192.168.5.7"),
      "no reference": { "metadata/name": "192.168.5.8", "spec/parentRef": undefined },
      "an empty reference": { "metadata/name": "192.168.5.8", "spec/parentRef": {} },
      "a bad reference": {
        "metadata/name": "192.168.5.8",
        "spec/parentRef": { group: "A b", resource: "a/b", name: "c/d", namespace: "e/f" },
      },
    },
    pairs: {
      "another reference": [
        { "metadata/name": "192.168.5.9" },
        { "spec/parentRef": { resource: "services", name: "b", namespace: "default" } },
      ],
      "a label": [{ "metadata/name": "192.168.5.9" }, { "metadata/labels": { a: "b" } }],
    },
  },
  {
    ...kind(networking, "ServiceCIDR", "servicecidrs", { spec: { cidrs: ["192.168.0.0/24"] } }),
    creations: each(
      "spec/cidrs",
      undefined,
      [],
      ["x"],
      ["192.168.0.1/24"],
      ["192.168.000.0/24"],
      ["192.168.0.0/24", "192.168.1.0/24"],
      ["192.168.0.0/24", "fd00::/64"],
      ["192.168.0.0/24", "fd00::/64", "fd01::/64"],
      ["2001:DB8::/64"],
    ),
    updates: each("spec/cidrs", ["192.168.1.0/24"], ["192.168.0.0/24", "fd00::/64"], []),
    statuses: each("status", { conditions: [{ type: "Ready", status: "True" }] }, { conditions: [] }),
  },
  {
    ...kind(flowcontrol, "FlowSchema", "flowschemas", {
      spec: { priorityLevelConfiguration: { name: "global-default" }, rules: [flowRule] },
    }),
    creations: {
      ...each("spec/priorityLevelConfiguration", undefined, {}, { name: "A b" }),
      ...each("spec/matchingPrecedence", 0, -1, 1, 10_001, 5),
      ...each("spec/distinguisherMethod", {}, { type: "Other" }, { type: "ByUser" }),
      ...each(
        "spec/rules",
        undefined,
        flowRules({}),
        flowRules({ subjects: [subject] }),
        flowRules({ resourceRules: [resourceRule] }),
        flowRules({ ...flowRule, subjects: [{}] }),
        flowRules({ ...flowRule, subjects: [{ kind: "Other" }] }),
        flowRules({ ...flowRule, subjects: [{ kind: "User" }] }),
        flowRules({ ...flowRule, subjects: [{ kind: "User", user: { name: "" }, group: { name: "g" } }] }),
        flowRules({ ...flowRule, subjects: [{ kind: "Group", group: { name: "" } }] }),
        flowRules({ ...flowRule, subjects: [{ kind: "ServiceAccount", serviceAccount: {} }] }),
        flowRules({
          ...flowRule,
          subjects: [{ kind: "ServiceAccount", serviceAccount: { namespace: "A b", name: "C d" } }],
        }),
        flowRules({
          ...flowRule,
          subjects: [{ kind: "ServiceAccount", serviceAccount: { namespace: "*", name: "*" }, user: { name: "x" } }],
        }),
        flowRules({ subjects: [subject], resourceRules: [{}] }),
        flowRules({ subjects: [subject], resourceRules: [{ ...resourceRule, verbs: ["*", "get"] }] }),
        flowRules({ subjects: [subject], resourceRules: [{ ...resourceRule, verbs: ["other"] }] }),
        flowRules({ subjects: [subject], resourceRules: [{ ...resourceRule, apiGroups: ["*", "a"] }] }),
        flowRules({ subjects: [subject], resourceRules: [{ ...resourceRule, resources: ["*", "a"] }] }),
        flowRules({ subjects: [subject], resourceRules: [{ ...resourceRule, namespaces: [] }] }),
        flowRules({ subjects: [subject], resourceRules: [{ ...resourceRule, namespaces: ["*", "a"] }] }),
        flowRules({ subjects: [subject], resourceRules: [{ ...resourceRule, namespaces: ["A b"] }] }),
        flowRules({ subjects: [subject], resourceRules: [{ ...resourceRule, namespaces: [], clusterScope: true }] }),
        flowRules({ subjects: [subject], nonResourceRules: [{}] }),
        flowRules({ subjects: [subject], nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["*", "/a"] }] }),
        flowRules({ subjects: [subject], nonResourceRules: [{ verbs: ["x"], nonResourceURLs: ["a"] }] }),
        flowRules({ subjects: [subject], nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/a*", "/a b"] }] }),
        flowRules({ subjects: [subject], nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/a//b", "/a/*"] }] }),
      ),
      "another exempt schema": { "metadata/name": "exempt" },
    },
    changesAtOnce: true,
  },
  {
    ...kind(flowcontrol, "PriorityLevelConfiguration", "prioritylevelconfigurations", { spec: limited({}) }),
    creations: {
      ...each(
        "spec",
        undefined,
        {},
        { type: "Other" },
        { type: "Exempt" },
        { type: "Limited" },
        { ...limited({}), exempt: {} },
        limited({ nominalConcurrencyShares: 0 }),
        limited({ nominalConcurrencyShares: -1 }),
        limited({ nominalConcurrencyShares: undefined }),
        limited({ lendablePercent: 101 }),
        limited({ lendablePercent: -1 }),
        limited({ borrowingLimitPercent: -1 }),
        limited({ borrowingLimitPercent: 50 }),
        limited({ limitResponse: {} }),
        limited({ limitResponse: { type: "Other" } }),
        limited({ limitResponse: { type: "Queue" } }),
        limited({ limitResponse: { type: "Reject", queuing: { queues: 1, handSize: 1, queueLengthLimit: 1 } } }),
        queuing({}),
        queuing({ queues: 0, handSize: 0, queueLengthLimit: 0 }),
        queuing({ queues: -1, handSize: -1, queueLengthLimit: -1 }),
        queuing({ queues: 10, handSize: 20, queueLengthLimit: 1 }),
        queuing({ queues: 100_000_001, handSize: 8, queueLengthLimit: 1 }),
        queuing({ queues: 10_000_000, handSize: 8, queueLengthLimit: 1 }),
      ),
      "another exempt level": { "metadata/name": "exempt" },
    },
    updates: { ...each("spec/limited/nominalConcurrencyShares", 7, -1), ...each("spec/type", "Exempt") },
    statuses: each("status/conditions", [{ type: "X", status: "True" }], [{}]),
  },
  {
    path: "/apis/apiregistration.k8s.io/v1/apiservices",
    object: {
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name: "v1.a.example.com" },
      spec: {
        group: "a.example.com",
        version: "v1",
        groupPriorityMinimum: 10,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { namespace: "default", name: "none" },
      },
    },
    creations: Object.fromEntries(
      Object.entries({
        ...each("metadata/name", "other"),
        ...each("spec/group", "", "A b"),
        ...each("spec/version", "", "V1"),
        ...each("spec/groupPriorityMinimum", 0, 20_001),
        ...each("spec/versionPriority", 0, 1001),
        ...each(
          "spec/service",
          undefined,
          {},
          { namespace: "a", name: "b", port: 0 },
          { namespace: "a", name: "b", port: 99_999 },
        ),
        ...each("spec/caBundle", "eA=="),
        ...each("spec/insecureSkipTLSVerify", false),
      }).map(([name, changes]) => [name, { "metadata/name": "v1.a.example.com", ...changes }]),
    ),
    changesAtOnce: true,
  },
  {
    ...kind(resource, "DeviceClass", "deviceclasses", { spec: {} }),
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
    ...kind(resource, "ResourceClaim", "resourceclaims", { spec: { devices: { requests: [request({})] } } }, true),
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
    ...kind(
      resource,
      "ResourceClaimTemplate",
      "resourceclaimtemplates",
      { spec: { spec: { devices: { requests: [request({})] } } } },
      true,
    ),
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
    ...kind(resource, "ResourceSlice", "resourceslices", {
      spec: {
        driver: "d.example.com",
        nodeName: "n",
        pool: { name: "p", resourceSliceCount: 1 },
        devices: [{ name: "a" }],
      },
    }),
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
  {
    ...kind("certificates.k8s.io/v1", "CertificateSigningRequest", "certificatesigningrequests", {
      spec: { request: certificateRequest, signerName: "example.com/a", usages: ["client auth"] },
    }),
    creations: {
      ...each("spec/request", undefined, "eA=="),
      ...each("spec/signerName", undefined, "a", "A b/c", "example.com/", `example.com/${"x".repeat(600)}`),
      ...each("spec/usages", undefined, [], ["other"], ["client auth", "client auth"]),
      ...each("spec/expirationSeconds", 0, 599, 600),
    },
    updates: each("spec/usages", ["server auth"]),
    statuses: {
      ...each("status/certificate", "eA==", certificateRequest),
      ...each("status/conditions", [{ type: "Failed", status: "True" }], [{ type: "Approved", status: "True" }], [{}]),
    },
    subresources: {
      approval: each(
        "status/conditions",
        [],
        [{ type: "Approved", status: "True" }],
        [{ type: "Approved", status: "False" }],
        [{ type: "Approved" }],
        [{ type: "Other", status: "True", reason: "a" }],
        [
          { type: "Approved", status: "True" },
          { type: "Denied", status: "True" },
        ],
        [
          { type: "Approved", status: "True" },
          { type: "Approved", status: "True" },
        ],
        [{}],
      ),
    },
  },
];
