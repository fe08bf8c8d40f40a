import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, test } from "vitest";
import { callsOf } from "../strategy.fixture.ts";
import { csiNode } from "./csi-node.ts";
import { csiStorageCapacity } from "./csi-storage-capacity.ts";
import { volumeAttachment } from "./volume-attachment.ts";

describe("CSINodes", () => {
  const { create, update } = callsOf(csiNode);
  const driver = { name: "a.example.com", nodeID: "n" };
  const of = (...drivers: JsonObject[]): JsonObject => ({ spec: { drivers } });

  test("need a name and an ID per driver", () => {
    expect(create(of(driver)).errors).toEqual([]);
    expect(create(of({}, { ...driver, nodeID: "x".repeat(257), allocatable: { count: -1 } })).errors).toEqual([
      "spec.drivers[0].name: Required value",
      "spec.drivers[0].nodeID: Required value",
      expect.stringMatching(/^spec\.drivers\[1\]\.nodeID: Invalid value: "x{257}": must be 256 characters or less$/),
      "spec.drivers[1].allocatable.count: Invalid value: -1: must be greater than or equal to 0",
    ]);
    expect(create(of(driver, { ...driver, topologyKeys: ["a", "a"] })).errors).toEqual([
      'spec.drivers[1].name: Duplicate value: "a.example.com"',
      'spec.drivers[1]: Duplicate value: "a"',
    ]);
  });

  test("can only add and remove drivers, or change the number of volumes", () => {
    expect(update(of(driver), of({ ...driver, allocatable: { count: 5 } }, { ...driver, name: "b" }))).toEqual([]);
    expect(update(of(driver), of({ ...driver, nodeID: "m", allocatable: { count: 5 } }))).toEqual([
      'spec.drivers: Invalid value: {"Name":"a.example.com","NodeID":"m","TopologyKeys":null,"Allocatable":null}: field is immutable',
    ]);
  });
});

describe("CSIStorageCapacities", () => {
  const { create, update } = callsOf(csiStorageCapacity);
  const valid = { storageClassName: "a", nodeTopology: {}, capacity: "1Gi" };

  test("need a class and a capacity", () => {
    expect(create(valid).errors).toEqual([]);
    expect(create({ ...valid, capacity: "-1" }).errors).toEqual([
      'capacity: Invalid value: "-1": must be greater than or equal to 0',
    ]);
    expect(create({ ...valid, storageClassName: "" }).errors).toHaveLength(1);
    expect(create({ ...valid, nodeTopology: { matchExpressions: [{ key: "a" }] } }).errors).toHaveLength(1);
  });

  test("can't change their class and nodes", () => {
    expect(update(valid, { ...valid, capacity: "2Gi" })).toEqual([]);
    expect(update(valid, { ...valid, storageClassName: "b", nodeTopology: { matchLabels: { a: "b" } } })).toEqual([
      'nodeTopology: Invalid value: {"matchLabels":{"a":"b"}}: field is immutable',
      'storageClassName: Invalid value: "b": field is immutable',
    ]);
  });

  test("get warnings about old labels of nodes", () => {
    const matchLabels = { "beta.kubernetes.io/os": "linux" };
    const matchExpressions = [{ key: "beta.kubernetes.io/arch", operator: "Exists" }];
    expect(create({ ...valid, nodeTopology: { matchLabels, matchExpressions } }).warnings).toEqual([
      'nodeTopology.matchExpressions[0].key: beta.kubernetes.io/arch is deprecated since v1.14; use "kubernetes.io/arch" instead',
      'nodeTopology.matchLabels.beta.kubernetes.io/os: deprecated since v1.14; use "kubernetes.io/os" instead',
    ]);
  });
});

describe("VolumeAttachments", () => {
  const { create, update } = callsOf(volumeAttachment);
  const spec = { attacher: "a.example.com", nodeName: "n", source: { persistentVolumeName: "v" } };
  const errors = (changes: JsonObject): string[] => create({ spec: { ...spec, ...changes } }).errors;
  const message = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";

  test("have an attacher, whose name has a limit in characters", () => {
    expect(errors({ attacher: "" })).toEqual(["spec.attacher: Required value"]);
    expect(errors({ attacher: "x".repeat(64) })).toEqual([
      "spec.attacher: Too long: may not be more than 63 characters",
    ]);
  });

  test("need exactly one source", () => {
    expect(errors({})).toEqual([]);
    expect(errors({ source: {} })).toEqual([`spec.source: Required value: ${message}`]);
    expect(errors({ source: { persistentVolumeName: "v", inlineVolumeSpec: {} } })).toEqual([
      `spec.source: Forbidden: ${message}`,
    ]);
    const inlineVolumeSpec = {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      persistentVolumeReclaimPolicy: "Delete",
      hostPath: { path: "/a" },
    };
    expect(errors({ source: { inlineVolumeSpec } })).toEqual([
      "spec.source.inlineVolumeSpec.capacity: Forbidden: may not be specified in the context of inline volumes",
      "spec.source.inlineVolumeSpec.csi: Required value: has to be specified in the context of inline volumes",
      "spec.source.inlineVolumeSpec.persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes",
    ]);
  });

  test("can't change their spec", () => {
    expect(update({ spec }, { spec: { ...spec, nodeName: "m" } })).toEqual([
      "spec: Invalid value: null: field is immutable",
    ]);
  });

  test("must have short error messages and positive error codes", () => {
    const attachError = { message: "x".repeat(1025), errorCode: -1 };
    expect(update({ spec }, { spec, status: { attachError } }, "status")).toEqual([
      "status.attachError.message: Too long: may not be more than 1024 bytes",
      "status.attachError.errorCode: Invalid value: -1: must be between 0 and 2147483647, inclusive",
    ]);
  });
});
