import { describe, expect, it } from "vitest";
import type { JsonPatchOperation } from "../client/patch.ts";
import { applyJsonPatch, PatchError } from "./json-patch.ts";
import { applyMergePatch } from "./merge-patch.ts";

const document = { a: { "x/y": 1, "m~n": 2 }, list: [1, 2, 3] };

describe("JSON patch (RFC 6902)", () => {
  it.each<[string, JsonPatchOperation, unknown]>([
    ["adds in front of a place", { op: "add", path: "/list/1", value: 9 }, { ...document, list: [1, 9, 2, 3] }],
    ["adds at the end", { op: "add", path: "/list/-", value: 9 }, { ...document, list: [1, 2, 3, 9] }],
    ["adds over a value that is there", { op: "add", path: "/a", value: 0 }, { ...document, a: 0 }],
    ["removes", { op: "remove", path: "/list/0" }, { ...document, list: [2, 3] }],
    ["reads ~1 and ~0", { op: "replace", path: "/a/x~1y", value: 5 }, { ...document, a: { "x/y": 5, "m~n": 2 } }],
    ["moves", { op: "move", from: "/a/m~0n", path: "/b" }, { a: { "x/y": 1 }, list: [1, 2, 3], b: 2 }],
    ["copies", { op: "copy", from: "/list", path: "/b" }, { ...document, b: [1, 2, 3] }],
    ["tests, whatever the order of keys", { op: "test", path: "/a", value: { "m~n": 2, "x/y": 1 } }, document],
    ["replaces the whole", { op: "replace", path: "", value: 1 }, 1],
  ])("%s", (_name, operation, result) => {
    expect(applyJsonPatch(document, [operation])).toEqual(result);
    expect(document.list).toEqual([1, 2, 3]);
  });

  it.each<[string, JsonPatchOperation]>([
    ["a place behind the end", { op: "add", path: "/list/4", value: 0 }],
    ["a parent that isn't there", { op: "add", path: "/none/x", value: 0 }],
    ["a value that isn't there", { op: "replace", path: "/none", value: 0 }],
    ["nothing to remove", { op: "remove", path: "/list/3" }],
    ["a failed test", { op: "test", path: "/list/0", value: 2 }],
    ["a place with a leading zero", { op: "remove", path: "/list/01" }],
    ["a path without slash", { op: "remove", path: "list" }],
    ["a move into itself", { op: "move", from: "/a", path: "/a/b" }],
    ["an unknown operation", { op: "bogus" as "remove", path: "/a" }],
    ["what every object inherits", { op: "remove", path: "/constructor" }],
  ])("refuses %s", (_name, operation) => {
    expect(() => applyJsonPatch(document, [operation])).toThrow(PatchError);
  });
});

it.each([
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{ a: "b" }, ["c"], ["c"]],
])("merge patch (RFC 7386): %j with %j is %j", (target, patch, result) =>
  expect(applyMergePatch(target, patch)).toEqual(result),
);
