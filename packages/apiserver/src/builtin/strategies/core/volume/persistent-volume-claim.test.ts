import type { JsonObject } from "@kubewright/cel/json";
import { expect, it } from "vitest";
import { callsOf } from "../../strategy.fixture.ts";
import { persistentVolumeClaim } from "./persistent-volume-claim.ts";

const { create, update } = callsOf(persistentVolumeClaim);
const request = (storage: string): JsonObject => ({ resources: { requests: { storage } } });
const valid = { accessModes: ["ReadWriteOnce"], volumeMode: "Filesystem", ...request("2Gi") };
const created = (fields: JsonObject) => create({ spec: { ...valid, ...fields } });
const immutable =
  "spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";

it("the requested size must be positive, and fractions of bytes cause a warning", () => {
  expect(created(request("0")).errors).toEqual([
    'spec.resources[storage]: Invalid value: "0": must be greater than zero',
  ]);
  expect(created(request("1m"))).toMatchObject({
    errors: [],
    warnings: ['spec.resources.requests[storage]: fractional byte value "1m" is invalid, must be an integer'],
  });
});

it("dataSource and dataSourceRef are set to the same value", () => {
  const old = { kind: "PersistentVolumeClaim", name: "b" };
  expect(created({ dataSource: old }).object.spec).toMatchObject({ dataSourceRef: old });
  const any = { apiGroup: "example.com", kind: "X", name: "b" };
  expect(created({ dataSourceRef: any }).object.spec).toMatchObject({ dataSource: any });
});

it("drops unsupported data sources and those in other namespaces", () => {
  expect(created({ dataSource: { kind: "Other", name: "b" } }).object.spec).toEqual(valid);
  const elsewhere = { apiGroup: "example.com", kind: "X", name: "b", namespace: "n" };
  expect(created({ dataSourceRef: elsewhere }).object.spec).toEqual(valid);
});

it("dataSource and dataSourceRef must be equal", () => {
  const [dataSource, dataSourceRef] = ["b", "c"].map((name) => ({ kind: "PersistentVolumeClaim", name }));
  const fields = { dataSource, dataSourceRef } as JsonObject;
  expect(created(fields).errors).toEqual(["spec: Invalid value: {}: must match dataSourceRef"]);
});

it("a claim can grow after it is bound, but not before", () => {
  const grown = { spec: { ...valid, ...request("3Gi") } };
  expect(update({ spec: valid }, grown)).toEqual([expect.stringContaining(immutable)]);
  const status = { phase: "Bound" };
  expect(update({ spec: valid, status }, { ...grown, status })).toEqual([]);
});

it("a bound claim can't become smaller than its volume", () => {
  const status = { phase: "Bound", capacity: { storage: "1Gi" } };
  const shrunk = (storage: string): string[] =>
    update({ spec: valid, status }, { spec: { ...valid, ...request(storage) }, status });
  expect(shrunk("1500Mi")).toEqual([]);
  expect(shrunk("1Gi")).toEqual([
    "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity",
  ]);
});

it("the class and the volume can be set only once", () => {
  const chosen = { spec: { ...valid, storageClassName: "a", volumeName: "v" } };
  expect(update({ spec: valid }, chosen)).toEqual([]);
  expect(update(chosen, { spec: { ...valid, storageClassName: "b", volumeName: "v" } })).toEqual([
    expect.stringContaining(immutable),
  ]);
});

it("the annotation of the class can't change, and its error names it without brackets", () => {
  const annotations = { "volume.beta.kubernetes.io/storage-class": "fast" };
  expect(update({ metadata: { annotations }, spec: valid }, { spec: valid })).toEqual([
    'metadata.annotations.volume.beta.kubernetes.io/storage-class: Invalid value: "": field is immutable',
  ]);
});
