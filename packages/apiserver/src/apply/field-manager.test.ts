import { isObject, type JsonObject } from "@kubewright/cel/json";
import { describe, expect, it } from "vitest";
import { withAsyncConversion } from "./conversion.ts";
import { applyPatch, updateManagedFields } from "./field-manager.ts";
import { entriesOf, failure, kindOf, metadataOf, stored, summary, time, typed } from "./widget.fixture.ts";

describe("updates", () => {
  it("make the manager the owner of the changed fields, with the time of the last change", () => {
    const created = stored({ replicas: 1, name: "x" });
    expect(summary(created)).toEqual([
      {
        manager: "creator",
        operation: "Update",
        time: time(0),
        fieldsV1: { "f:spec": { ".": {}, "f:name": {}, "f:replicas": {} } },
      },
    ]);
    const updated = { ...created, spec: { replicas: 2, name: "x" } };
    const second = updateManagedFields(kindOf(), { live: created, updated, manager: "other", now: time(1) });
    expect(summary(second)).toEqual([
      { manager: "creator", operation: "Update", time: time(0), fieldsV1: { "f:spec": { ".": {}, "f:name": {} } } },
      { manager: "other", operation: "Update", time: time(1), fieldsV1: { "f:spec": { "f:replicas": {} } } },
    ]);
  });

  it("keep all entries if nothing changed", () => {
    const live = stored({ replicas: 1 });
    const result = updateManagedFields(kindOf(), { live, updated: live, manager: "other", now: time(1) });
    expect(entriesOf(result)).toEqual(entriesOf(live));
  });

  it("ignore fields that the request resets", () => {
    const live = stored({ replicas: 1 });
    const updated = { ...live, status: { phase: "x" } };
    expect(entriesOf(updateManagedFields(kindOf(), { live, updated, manager: "o", now: time(1) }))).toEqual(
      entriesOf(live),
    );
    const status = updateManagedFields(kindOf("status"), { live, updated, manager: "o", now: time(1) });
    expect(entriesOf(status)[1]).toMatchObject({
      manager: "o",
      subresource: "status",
      fieldsV1: { "f:status": { "f:phase": {} } },
    });
  });

  it.each([[[]], [[{}]]])("remove the managed fields if the client sends %j", (managedFields) => {
    const live = stored({ replicas: 1 });
    const updated = { ...live, metadata: { ...metadataOf(live), managedFields } };
    const reset = updateManagedFields(kindOf(), { live, updated, manager: "o", now: time(1) });
    expect(metadataOf(reset).managedFields).toBeUndefined();
    const next = updateManagedFields(kindOf(), {
      live: reset,
      updated: { ...reset, spec: { replicas: 3 } },
      manager: "o",
      now: time(2),
    });
    expect(metadataOf(next).managedFields).toBeUndefined();
  });

  it("keep the stored managed fields if the client sends invalid ones", () => {
    const live = stored({ replicas: 1 });
    const updated = { ...live, metadata: { ...metadataOf(live), managedFields: [{ manager: "x" }, {}] } };
    expect(entriesOf(updateManagedFields(kindOf(), { live, updated, manager: "o", now: time(1) }))).toEqual(
      entriesOf(live),
    );
  });

  it("store managed fields that the client sends, except for subresources", () => {
    const live = stored({ replicas: 1 });
    const entry = {
      manager: "x",
      operation: "Update",
      apiVersion: "example.com/v1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:spec": { "f:name": {} } },
    };
    const updated = { ...live, metadata: { ...metadataOf(live), managedFields: [entry] } };
    expect(summary(updateManagedFields(kindOf(), { live, updated, manager: "o", now: time(1) }))).toMatchObject([
      { manager: "x" },
    ]);
    expect(entriesOf(updateManagedFields(kindOf("status"), { live, updated, manager: "o", now: time(1) }))).toEqual(
      entriesOf(live),
    );
  });

  it("merge the oldest entries if more than ten managers wrote", () => {
    let live = stored({ replicas: 0 });
    for (let i = 1; i <= 11; i++) {
      const labels = { ...(metadataOf(live).labels as JsonObject), [`l${i}`]: "x" };
      const updated = { ...live, metadata: { ...metadataOf(live), labels } };
      live = updateManagedFields(kindOf(), { live, updated, manager: `m${i}`, now: time(i) });
    }
    expect(entriesOf(live)).toHaveLength(10);
    expect(summary(live)[0]).toEqual({
      manager: "ancient-changes",
      operation: "Update",
      time: time(2),
      fieldsV1: {
        "f:metadata": { "f:labels": { ".": {}, "f:l1": {}, "f:l2": {} } },
        "f:spec": { ".": {}, "f:replicas": {} },
      },
    });
  });

  it("don't track the fields of objects that are nested too deeply", () => {
    let deep: JsonObject = {};
    for (let i = 0; i < 9000; i++) deep = { a: deep };
    const updated = { ...typed, metadata: { name: "a" }, spec: deep };
    expect(updateManagedFields(kindOf(), { live: typed, updated, manager: "o", now: time(0) })).toBe(updated);
  });
});

describe("versions", () => {
  const renamed = (object: JsonObject, apiVersion: string): JsonObject => {
    const spec = isObject(object.spec) ? object.spec : {};
    return {
      ...object,
      apiVersion,
      spec: { ...spec, ...(spec.name === undefined ? {} : { name: `${spec.name as string}!` }) },
    };
  };

  it("compare the fields of an entry in the version of the entry", () => {
    const live = stored({ replicas: 1, name: "x" });
    const kind = kindOf("", {
      apiVersion: "example.com/v2",
      convert: renamed,
      empty: () => ({ ...typed, apiVersion: "example.com/v2" }),
    });
    const before = { ...live, apiVersion: "example.com/v2" };
    const result = updateManagedFields(kind, {
      live: before,
      updated: { ...before, spec: { replicas: 2, name: "x" } },
      manager: "o",
      now: time(1),
    });
    expect(entriesOf(result).map(({ manager, apiVersion, fieldsV1 }) => [manager, apiVersion, fieldsV1])).toEqual([
      ["creator", "example.com/v1", { "f:spec": { ".": {}, "f:name": {} } }],
      ["o", "example.com/v2", { "f:spec": { "f:replicas": {} } }],
    ]);
  });

  it("drop entries of versions that don't exist", () => {
    const live = stored({ replicas: 1 });
    const old = entriesOf(live).map((entry) => ({ ...entry, apiVersion: "example.com/v0" }));
    const before = { ...live, metadata: { ...metadataOf(live), managedFields: old } };
    const updated = { ...live, spec: { replicas: 2 }, metadata: { ...metadataOf(live), managedFields: old } };
    expect(summary(updateManagedFields(kindOf(), { live: before, updated, manager: "o", now: time(1) }))).toMatchObject(
      [{ manager: "o" }],
    );
  });

  it("can be converted asynchronously", async () => {
    const live = { ...stored({ replicas: 1, name: "x" }), apiVersion: "example.com/v2" };
    const calls: string[] = [];
    const result = await withAsyncConversion(
      async (object, apiVersion) => {
        calls.push(apiVersion);
        return renamed(object, apiVersion);
      },
      (convert) =>
        updateManagedFields(kindOf("", { apiVersion: "example.com/v2", convert }), {
          live,
          updated: { ...live, spec: { replicas: 2 } },
          manager: "o",
          now: time(1),
        }),
    );
    expect(entriesOf(result)).toHaveLength(2);
    // As in kube-apiserver, the stored object is converted twice, and the new one once.
    expect(calls).toEqual(["example.com/v1", "example.com/v1", "example.com/v1"]);
  });

  it("can be converted asynchronously in an apply that removes fields", async () => {
    const patch = (apiVersion: string, spec: JsonObject) => ({ ...typed, apiVersion, metadata: { name: "a" }, spec });
    const request = { manager: "m", force: false, now: time(1) };
    const first = applyPatch(kindOf(), {
      live: typed,
      patch: patch("example.com/v1", { replicas: 1, name: "x" }),
      ...request,
    });
    const live = { ...first.object, apiVersion: "example.com/v2" };
    const { object } = await withAsyncConversion(
      async (from, apiVersion) => ({ ...from, apiVersion }),
      (convert) =>
        applyPatch(kindOf("", { apiVersion: "example.com/v2", convert }), {
          live,
          patch: patch("example.com/v2", { replicas: 1 }),
          ...request,
        }),
    );
    expect([object.apiVersion, object.spec]).toEqual(["example.com/v2", { replicas: 1 }]);
  });

  it("fail an apply if a conversion fails", () => {
    const live = { ...stored({ replicas: 1 }), apiVersion: "example.com/v2" };
    const convert = () => {
      throw new Error("request to convert CR to an invalid group/version: example.com/v1");
    };
    const kind = kindOf("", { apiVersion: "example.com/v2", convert });
    const patch = { ...typed, apiVersion: "example.com/v2", metadata: { name: "a" } };
    const error = failure(() => applyPatch(kind, { live, patch, manager: "m", force: false, now: time(1) }));
    expect([error.code, error.message]).toEqual([
      500,
      "request to convert CR to an invalid group/version: example.com/v1",
    ]);
    const updated = updateManagedFields(kind, { live, updated: live, manager: "m", now: time(1) });
    expect(metadataOf(updated).managedFields).toEqual(metadataOf(live).managedFields);
  });
});
