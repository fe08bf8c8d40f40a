import { describe, expect, it } from "vitest";
import type { KubernetesObject, ManagedFieldsEntry } from "../api/index.ts";
import type { Stored } from "./client.ts";
import { extractApply } from "./extract-apply.ts";

interface Game extends KubernetesObject {
  spec?: Record<string, unknown>;
}

const apply = (fieldsV1: unknown, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  manager: "me",
  operation: "Apply",
  apiVersion: "example.com/v1",
  fieldsType: "FieldsV1",
  fieldsV1,
  ...more,
});
const game = (spec: Record<string, unknown>, ...managedFields: ManagedFieldsEntry[]): Stored<Game> => ({
  apiVersion: "example.com/v1",
  kind: "Game",
  metadata: { name: "a", namespace: "ns", uid: "u", resourceVersion: "1", labels: { a: "1" }, managedFields },
  spec,
});
const identity = { apiVersion: "example.com/v1", kind: "Game", metadata: { name: "a", namespace: "ns" } };

describe("extractApply", () => {
  it("returns the identity of an object if the owner has applied no fields", () => {
    const others = [
      apply({ "f:spec": { "f:a": {} } }, { manager: "other" }),
      apply({ "f:spec": { "f:a": {} } }, { operation: "Update" }),
      apply({ "f:spec": { "f:a": {} } }, { subresource: "status" }),
    ];
    expect(extractApply(game({ a: 1 }, ...others), "me")).toEqual(identity);
  });

  it("rejects objects without managedFields, and fields of another API version", () => {
    expect(() => extractApply(game({}), "me")).toThrow(
      "extractApply: Game ns/a has no managedFields: read the object with mgr.apiReader, or set keepManagedFields in the options of the cache",
    );
    expect(() => extractApply(game({}, apply({}, { apiVersion: "example.com/v2" })), "me")).toThrow(
      "extractApply: Game ns/a has apiVersion example.com/v1, but me has applied example.com/v2: read that version",
    );
  });

  it("returns copies, in the order of the object, with any field name", () => {
    const spec = JSON.parse('{"z":{"__proto__":{"x":1}},"b":2,"a":{"k":[1]}}');
    const fields = JSON.parse('{"f:spec":{"f:a":{"f:k":{}},"f:z":{"f:__proto__":{"f:x":{}}}}}');
    const object = game(spec, apply(fields));
    const extracted = extractApply(object, "me");
    expect(JSON.stringify(extracted.spec)).toBe('{"z":{"__proto__":{"x":1}},"a":{"k":[1]}}');
    (extracted.spec as { a: { k: number[] } }).a.k.push(2);
    expect(object.spec?.a).toEqual({ k: [1] });
  });

  it("finds list items by value, keys and index", () => {
    const spec = {
      set: ["x", "y", 3],
      list: [
        { name: "a", v: 1 },
        { name: "b", v: 2, w: 3 },
      ],
      places: [[1], [2]],
    };
    const fields = {
      "f:spec": {
        "f:set": { "v:3": {}, 'v:"x"': {}, 'v:"gone"': {} },
        "f:list": { 'k:{"name":"b"}': { ".": {}, "f:name": {}, "f:v": {} }, 'k:{"name":"gone"}': { ".": {} } },
        "f:places": { "i:1": {}, "i:7": {} },
      },
    };
    expect(extractApply(game(spec, apply(fields)), "me").spec).toEqual({
      set: ["x", 3],
      list: [{ name: "b", v: 2 }],
      places: [[2]],
    });
  });

  it("adds the keys of a list item without owned keys, and omits keys that have defaults", () => {
    const spec = {
      ports: [
        { port: 80, protocol: "TCP", name: "http" },
        { port: 90, protocol: "TCP", name: "x" },
      ],
    };
    const fields = {
      "f:spec": {
        "f:ports": {
          'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:port": {} },
          'k:{"port":90,"protocol":"TCP"}': { "f:name": {} },
        },
      },
    };
    expect(extractApply(game(spec, apply(fields)), "me").spec).toEqual({
      ports: [{ port: 80 }, { name: "x", port: 90, protocol: "TCP" }],
    });
  });

  it("returns the whole value if only the value itself is owned, and none of its parts", () => {
    const spec = { selector: { a: "1" }, list: [{ name: "a" }] };
    const mine = apply({ "f:spec": { "f:selector": {}, "f:list": { ".": {} } } });
    expect(extractApply(game(spec, mine), "me").spec).toEqual(spec);
  });

  it("accepts values of any depth", () => {
    const depth = 9_000;
    const deep = (name: string): unknown => {
      let value: Record<string, unknown> = {};
      for (let level = 0; level < depth; level++) value = { [name]: value };
      return value;
    };
    let extracted: unknown = extractApply(
      game({ a: deep("a") } as never, apply({ "f:spec": { "f:a": deep("f:a") } })),
      "me",
    ).spec;
    for (let level = 0; level <= depth; level++) extracted = (extracted as { a: unknown }).a;
    expect(extracted).toEqual({});
  });
});
