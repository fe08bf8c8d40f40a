import { expect, it } from "vitest";
import { covers, omitPaths, ownedPart, splitSet, union } from "./field-set.ts";

const containers = {
  "f:spec": {
    "f:containers": {
      'k:{"name":"a"}': {
        ".": {},
        "f:image": {},
        "f:name": {},
        "f:ports": {
          'k:{"containerPort":53,"protocol":"TCP"}': { ".": {}, "f:containerPort": {} },
          'k:{"containerPort":53,"protocol":"UDP"}': { ".": {}, "f:containerPort": {}, "f:protocol": {} },
        },
      },
    },
  },
};

it.each<[name: string, value: unknown, owned: unknown, expected: boolean]>([
  ["a field", { a: 1 }, { "f:a": {} }, true],
  ["a missing field", { a: 1, b: 2 }, { "f:a": {} }, false],
  ["an undefined field", { a: 1, b: undefined }, { "f:a": {} }, true],
  ["null", { a: null }, { "f:a": {} }, true],
  ["an inherited name", { constructor: 1 }, {}, true],
  ["an inherited name beside others", { constructor: 1 }, { "f:a": {} }, false],
  ["an atomic map", { a: { b: { c: 1 } } }, { "f:a": {} }, true],
  ["a map without its members", { a: { b: 1 } }, { "f:a": { ".": {} } }, false],
  ["empty lists and maps", { a: {}, b: [], c: { d: {} } }, { "f:x": {} }, true],
  ["an atomic list", { a: [{ b: 1 }] }, { "f:a": {} }, true],
  ["a set", { a: ["x", "y"] }, { "f:a": { 'v:"x"': {}, 'v:"y"': {} } }, true],
  ["a set without an item", { a: ["x", "z"] }, { "f:a": { 'v:"x"': {} } }, false],
  ["items by their keys", { spec: { containers: [{ name: "a", image: "i" }] } }, containers, true],
  [
    "an item with a field of another manager",
    { spec: { containers: [{ name: "a", args: ["x"] }] } },
    containers,
    false,
  ],
  ["an item of another manager", { spec: { containers: [{ name: "b", image: "i" }] } }, containers, false],
  [
    "items with default keys, each of which has its own entry",
    { spec: { containers: [{ name: "a", ports: [{ containerPort: 53 }, { containerPort: 53, protocol: "UDP" }] }] } },
    containers,
    true,
  ],
  [
    "more items than entries",
    {
      spec: {
        containers: [{ name: "a", ports: [{ containerPort: 53 }, { containerPort: 53 }, { containerPort: 53 }] }],
      },
    },
    containers,
    false,
  ],
  ["an owner reference with any UID", { r: [{ uid: "u", name: "n" }] }, { "f:r": { 'k:{"uid":""}': {} } }, true],
  ["no entry", { a: 1 }, undefined, false],
])("covers: %s", (_name, value, owned, expected) => {
  expect(covers(value, owned)).toBe(expected);
});

it("divides a set by paths", () => {
  expect(splitSet({ "f:spec": { "f:replicas": {}, "f:paused": {} } }, [["spec", "replicas"]])).toEqual({
    inside: { "f:spec": { "f:replicas": {} } },
    outside: { "f:spec": { "f:paused": {} } },
  });
  expect(splitSet({ "f:spec": { "f:replicas": {} } }, [["spec"]])).toEqual({
    inside: { "f:spec": { "f:replicas": {} } },
    outside: undefined,
  });
  // A map that is owned as a whole can't be divided.
  expect(splitSet({ "f:spec": {} }, [["spec", "replicas"]])).toEqual({ inside: undefined, outside: { "f:spec": {} } });
  for (const item of ["*", "name=a"]) {
    const { inside, outside } = splitSet(containers, [["spec", "containers", item, "image"]]);
    expect(inside).toEqual({ "f:spec": { "f:containers": { 'k:{"name":"a"}': { "f:image": {} } } } });
    expect(JSON.stringify(outside)).not.toContain("f:image");
  }
});

it("returns a part of a set", () => {
  expect(ownedPart({ a: { b: 1 }, d: [1] }, { "f:a": { "f:b": {}, "f:c": {} }, "f:d": {}, "f:e": {} }, false)).toEqual({
    "f:a": { "f:b": {} },
    "f:d": {},
  });
  expect(ownedPart({ a: { x: 1 } }, { "f:b": {} }, false)).toBeUndefined();
  const partial = [{ a: { name: "n", value: "" } }, { "f:a": { "f:name": {} } }] as const;
  expect(ownedPart(...partial, true)).toEqual({ "f:a": { "f:name": {}, "f:value": {} } });
  // Another manager can own the value.
  expect(ownedPart(...partial, false)).toEqual({ "f:a": { "f:name": {} } });
});

it("unites sets", () => {
  expect(union({ "f:a": { "f:b": {} } }, { "f:a": { "f:c": {} }, "f:d": {} })).toEqual({
    "f:a": { "f:b": {}, "f:c": {} },
    "f:d": {},
  });
  expect(union({ "f:a": {} }, { "f:a": { "f:c": {} } })).toEqual({ "f:a": {} });
});

it("omits paths, without changing the value", () => {
  const value = {
    spec: {
      replicas: 1,
      containers: [
        { name: "a", image: "x" },
        { name: "b", image: "y" },
      ],
    },
  };
  const copy = structuredClone(value);
  expect(
    omitPaths(value, [
      ["spec", "replicas"],
      ["spec", "containers", "name=b", "image"],
    ]),
  ).toEqual({
    spec: { containers: [{ name: "a", image: "x" }, { name: "b" }] },
  });
  expect(value).toEqual(copy);
});
