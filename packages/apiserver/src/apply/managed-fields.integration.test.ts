import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, it } from "vitest";
import { managerName } from "./manager-name.ts";
import { customResetFields } from "./reset-fields.ts";
import { managedFieldsAfterScale, managedFieldsOfScale } from "./scale.ts";
import { checkManagedFields, keepTimes } from "./times.ts";
import { FieldSet } from "./typed/field-set.ts";
import { customResourceType } from "./typed/object-type.ts";
import { fieldPath } from "./typed/path-element.ts";
import { validateType } from "./typed/validate.ts";
import { entriesOf, metadataOf, stored, time } from "./widget.fixture.ts";

describe("scale", () => {
  const paths = { "example.com/v1": ["spec", "replicas"], "example.com/v0": null };

  it("shows the owners of the replicas", () => {
    const scale = managedFieldsOfScale(entriesOf(stored({ replicas: 1, name: "x" })), paths);
    expect(scale).toMatchObject([
      { manager: "creator", apiVersion: "autoscaling/v1", fieldsV1: { "f:spec": { "f:replicas": {} } } },
    ]);
    expect(managedFieldsOfScale(entriesOf(stored({ name: "x" })), paths)).toBeUndefined();
  });

  it("makes the writer of the replicas their owner", () => {
    const parent = entriesOf(stored({ replicas: 1, name: "x" }));
    const scale = [
      {
        manager: "scaler",
        operation: "Update",
        apiVersion: "autoscaling/v1",
        subresource: "scale",
        time: time(1),
        fieldsType: "FieldsV1",
        fieldsV1: { "f:spec": { "f:replicas": {} } },
      },
    ];
    expect(managedFieldsAfterScale(parent, scale, "example.com/v1", paths)).toMatchObject([
      {
        manager: "scaler",
        apiVersion: "example.com/v1",
        subresource: "scale",
        fieldsV1: { "f:spec": { "f:replicas": {} } },
      },
      { manager: "creator", fieldsV1: { "f:spec": { ".": {}, "f:name": {} } } },
    ]);
  });
});

describe("managed fields in a write", () => {
  it("keep their times if nothing else would change", () => {
    const live = stored({ replicas: 1 });
    const later = {
      ...live,
      metadata: { ...metadataOf(live), managedFields: entriesOf(live).map((entry) => ({ ...entry, time: time(9) })) },
    };
    expect(keepTimes(later, live, true)).toEqual(live);
    const changed = { ...later, spec: { replicas: 2 } };
    expect(keepTimes(changed, live, true)).toBe(changed);
  });

  it("are restored if admission made them invalid", () => {
    const before = stored({ replicas: 1 });
    const after = {
      ...before,
      metadata: { ...metadataOf(before), managedFields: [{ manager: "x", operation: "Update" }] },
    };
    expect(checkManagedFields(before, after)).toEqual({
      object: before,
      warning:
        ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: apiVersion must not be empty",
    });
    expect(checkManagedFields(before, before)).toEqual({ object: before });
  });

  it("name the manager after the user agent", () => {
    expect(managerName("", "kubectl/v1.36 (linux)")).toBe("kubectl");
    expect(managerName("me", "kubectl/v1.36")).toBe("me");
    expect(managerName("", `\u0001${"é".repeat(80)}`)).toBe("é".repeat(64));
    expect(managerName("", "")).toBe("");
  });
});

describe("custom resources", () => {
  const versions = new Set(["example.com/v1", "example.com/v2"]);
  const set = FieldSet.of(fieldPath("metadata", "labels"), fieldPath("spec", "name"), fieldPath("status", "phase"));
  const kept = (apiVersion: string, subresource: string) =>
    customResetFields("example.com/v1", subresource, versions)(apiVersion)?.(set).toString();

  it("reset their status in the version of the request, and everything else in requests to their status", () => {
    expect(kept("example.com/v1", "")).toBe(".metadata.labels\n.spec.name");
    expect(kept("example.com/v2", "")).toBeUndefined();
    expect(kept("example.com/v2", "status")).toBe(".status.phase");
    expect(kept("example.com/v1", "scale")).toBeUndefined();
    expect(kept("example.com/v3", "status")).toBeUndefined();
  });

  it("track the metadata of embedded objects, which has no unknown fields", () => {
    const type = customResourceType({
      type: "object",
      properties: {
        spec: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
      },
    });
    const problems = (metadata: JsonObject) =>
      validateType(type, { spec: { apiVersion: "v1", kind: "X", any: 1, metadata } });
    expect(problems({ name: "x" })).toEqual([]);
    expect(problems({ x: 1 })).toEqual([{ path: ".spec.metadata.x", message: "field not declared in schema" }]);
    expect(problems({ labels: { a: 1 } })).toMatchObject([{ path: ".spec.metadata.labels.a" }]);
  });
});
