import type { JsonObject } from "@kubewright/cel/json";
import { describe, expect, it } from "vitest";
import { applyPatch, updateManagedFields } from "./field-manager.ts";
import { apply, failure, kindOf, metadataOf, stored, summary, time, typed } from "./widget.fixture.ts";

describe("apply", () => {
  it("conflicts with other owners of fields that it changes", () => {
    const live = stored({ replicas: 1, name: "x" });
    const error = failure(() => apply(live, { replicas: 2, name: "y" }));
    expect(error.status()).toMatchObject({
      code: 409,
      reason: "Conflict",
      message:
        'Apply failed with 2 conflicts: conflicts with "creator" using example.com/v1:\n- .spec.name\n- .spec.replicas',
      details: {
        causes: [
          {
            reason: "FieldManagerConflict",
            message: 'conflict with "creator" using example.com/v1',
            field: ".spec.name",
          },
          {
            reason: "FieldManagerConflict",
            message: 'conflict with "creator" using example.com/v1',
            field: ".spec.replicas",
          },
        ],
      },
    });
    expect(
      failure(() =>
        apply(
          apply(live, { list: [{ name: "a", value: "1" }] }),
          { list: [{ name: "a", value: "2" }] },
          { manager: "two" },
        ),
      ).message,
    ).toBe('Apply failed with 1 conflict: conflict with "applier": .spec.list[name="a"].value');
  });

  it("becomes the only owner of fields of others if forced", () => {
    const result = apply(stored({ replicas: 1, name: "x" }), { replicas: 2 }, { force: true });
    expect(result.spec).toEqual({ replicas: 2, name: "x" });
    expect(summary(result)).toEqual([
      { manager: "applier", operation: "Apply", time: time(1), fieldsV1: { "f:spec": { "f:replicas": {} } } },
      { manager: "creator", operation: "Update", time: time(0), fieldsV1: { "f:spec": { ".": {}, "f:name": {} } } },
    ]);
  });

  it("adds an owner without a time if the object stays the same", () => {
    const result = apply(stored({ replicas: 1 }), { replicas: 1 });
    expect(summary(result)[0]).toEqual({
      manager: "applier",
      operation: "Apply",
      fieldsV1: { "f:spec": { "f:replicas": {} } },
    });
  });

  it("removes what the manager doesn't apply anymore", () => {
    const live = apply(stored({ replicas: 1 }), { name: "x", list: [{ name: "a" }, { name: "b" }] });
    expect(apply(live, { list: [{ name: "b" }] }, { minute: 2 }).spec).toEqual({ replicas: 1, list: [{ name: "b" }] });
  });

  it("creates an owner for fields that existed before fields were tracked", () => {
    const live = { ...typed, metadata: { name: "a", uid: "u" }, spec: { replicas: 1 } };
    expect(summary(apply(live, { name: "x" }))).toMatchObject([
      { manager: "applier", operation: "Apply" },
      { manager: "before-first-apply", operation: "Update", fieldsV1: { "f:spec": { ".": {}, "f:replicas": {} } } },
    ]);
  });

  it.each([
    [{ kind: "Gadget" }, 400, "invalid object type: example.com/v1, Kind=Gadget"],
    [{ apiVersion: "example.com/v9" }, 400, "invalid object type: example.com/v9, Kind=Widget"],
    [{ apiVersion: "v1" }, 400, "invalid object type: /v1, Kind=Widget"],
    [{ metadata: { managedFields: [] } }, 400, "metadata.managedFields must be nil"],
    [
      { spec: { name: 1 } },
      500,
      "failed to create typed patch object (/; example.com/v1, Kind=Widget): .spec.name: expected string, got &value.valueUnstructured{Value:1}",
    ],
    [
      { spec: { replicas: "1" } },
      500,
      "failed to create typed patch object (/; example.com/v1, Kind=Widget): .spec.replicas: expected numeric (int or float), got string",
    ],
    [
      { spec: [] },
      500,
      "failed to create typed patch object (/; example.com/v1, Kind=Widget): .spec: expected map, got &{[]}",
    ],
    [
      { spec: { foo: 1 } },
      500,
      "failed to create typed patch object (/; example.com/v1, Kind=Widget): .spec.foo: field not declared in schema",
    ],
    [
      { spec: { list: [{ name: "a" }, { name: "a" }] } },
      500,
      'failed to create typed patch object (/; example.com/v1, Kind=Widget): .spec.list: duplicate entries for key [name="a"]',
    ],
    [
      { spec: { list: [{ value: "a" }] } },
      500,
      'failed to create typed patch object (/; example.com/v1, Kind=Widget): .spec.list: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
    ],
  ])("rejects %j", (part, code, message) => {
    const patch = { ...typed, ...part } as JsonObject;
    const error = failure(() => applyPatch(kindOf(), { live: typed, patch, manager: "m", force: false, now: time(0) }));
    expect([error.code, error.message]).toEqual([code, message]);
  });

  it("lets kubectl take over fields of client-side apply", () => {
    const config = { ...typed, metadata: { name: "a" }, spec: { replicas: 1 } };
    const annotations = { "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify(config) };
    const created = updateManagedFields(kindOf(), {
      live: typed,
      updated: { ...config, metadata: { name: "a", annotations } },
      manager: "kubectl-client-side-apply",
      now: time(0),
    });
    const live = { ...created, metadata: { ...metadataOf(created), uid: "u" } };
    expect(failure(() => apply(live, { replicas: 2 })).code).toBe(409);
    const result = apply(live, { replicas: 2 }, { manager: "kubectl" });
    expect(result.spec).toEqual({ replicas: 2 });
    expect(metadataOf(result).annotations).toEqual({
      "kubectl.kubernetes.io/last-applied-configuration":
        '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"replicas":2}}\n',
    });
  });
});
