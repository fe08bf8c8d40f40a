import { describe, expect, it } from "vitest";
import { createFlattener } from "./flatten.ts";
import { mergeAllOf } from "./merge.ts";
import type { JSONSchema } from "./model/json-schema.ts";

const merge = (schema: JSONSchema) => {
  const conflicts: string[] = [];
  return {
    ...mergeAllOf(schema, (message) => conflicts.push(message)),
    ...(conflicts.length > 0 ? { conflicts } : {}),
  };
};

describe("mergeAllOf", () => {
  it.each<[string, JSONSchema, unknown]>([
    ["merges two branches", { allOf: [{ type: "string" }, { minLength: 1 }] }, { type: "string", minLength: 1 }],
    [
      "merges equal scalars",
      {
        allOf: [
          { type: "string", format: "a" },
          { type: "string", format: "a" },
        ],
      },
      { type: "string", format: "a" },
    ],
    [
      "keeps equal limits twice",
      { allOf: [{ minLength: 1 }, { minLength: 1 }] },
      { allOf: [{ minLength: 1 }, { minLength: 1 }] },
    ],
    [
      "keeps different limits side by side",
      {
        allOf: [
          { minLength: 1, pattern: "a" },
          { minLength: 2, pattern: "b" },
        ],
      },
      {
        allOf: [
          { minLength: 1, pattern: "a" },
          { minLength: 2, pattern: "b" },
        ],
      },
    ],
    ["merges equal minProperties", { allOf: [{ minProperties: 1 }, { minProperties: 1 }] }, { minProperties: 1 }],
    [
      "keeps different minProperties",
      { allOf: [{ minProperties: 2 }, { minProperties: 1 }] },
      { allOf: [{ minProperties: 2 }, { minProperties: 1 }] },
    ],
    [
      "reports conflicting types",
      { allOf: [{ type: "string" }, { type: "array" }] },
      { type: "string", conflicts: ["conflicting types in allOf branches in schema: string vs array"] },
    ],
    ["keeps the first enum", { allOf: [{ enum: ["a"] }, { enum: ["b"] }] }, { enum: ["a"] }],
    [
      "sorts required and removes duplicates",
      { required: ["c"], allOf: [{ required: ["b", "c"] }, { required: ["a"] }] },
      { required: ["a", "b", "c"] },
    ],
    [
      "merges properties",
      { allOf: [{ properties: { a: { type: "string" } } }, { properties: { a: { minLength: 1 }, b: {} } }] },
      { properties: { a: { type: "string", minLength: 1 }, b: {} } },
    ],
    [
      "merges additional properties",
      { allOf: [{ additionalProperties: { type: "string" } }, { additionalProperties: { minLength: 1 } }] },
      { additionalProperties: { type: "string", minLength: 1 } },
    ],
    [
      "keeps the last map type",
      { allOf: [{ "x-kubernetes-map-type": "a" }, { "x-kubernetes-map-type": "b" }] },
      { "x-kubernetes-map-type": "b" },
    ],
    [
      "places later rules before earlier ones",
      { allOf: [{ "x-kubernetes-validations": [{ rule: "a" }] }, { "x-kubernetes-validations": [{ rule: "b" }] }] },
      { "x-kubernetes-validations": [{ rule: "b" }, { rule: "a" }] },
    ],
    ["removes documentation in branches", { allOf: [{ description: "a" }, { title: "b" }] }, {}],
    [
      "merges a nested allOf",
      { allOf: [{ allOf: [{ type: "string" }], minLength: 1 }] },
      { type: "string", minLength: 1 },
    ],
    [
      "merges in nested schemas",
      { items: { allOf: [{ type: "string" }, { minLength: 1 }] } },
      { items: { type: "string", minLength: 1 } },
    ],
    ["keeps two defaults", { allOf: [{ default: 1 }, { default: 1 }] }, { allOf: [{ default: 1 }, { default: 1 }] }],
  ])("%s", (_, schema, expected) => {
    expect(merge(schema)).toEqual(expected);
  });

  it("doesn't change its input", () => {
    const schema = { properties: { a: {} }, allOf: [{ properties: { a: { type: "string" } } }] };
    const before = structuredClone(schema);
    merge(schema);
    expect(schema).toEqual(before);
  });
});

describe("createFlattener", () => {
  const types: Record<string, JSONSchema> = {
    "#A": { description: "of A", type: "object", properties: { b: { $ref: "#B" } } },
    "#B": { description: "of B", type: "string" },
    "#Self": { type: "object", properties: { again: { $ref: "#Self" } } },
  };
  const cycles: string[] = [];
  const flattener = () =>
    createFlattener(
      (ref) => types[ref],
      (ref) => cycles.push(ref),
    );

  it("replaces a reference with its type, and prefers the field's documentation", () => {
    const flat = flattener().flatten({
      properties: { x: { $ref: "#A", description: "of x" }, y: { $ref: "#B", minLength: 1 } },
    });
    expect(merge(flat)).toEqual({
      properties: {
        x: { description: "of x", type: "object", properties: { b: { description: "of B", type: "string" } } },
        y: { description: "of B", type: "string", minLength: 1 },
      },
    });
  });

  it("cuts off a recursive type, one level lower for the requested type", () => {
    expect(merge(flattener().flattenType("#Self"))).toEqual({
      type: "object",
      properties: { again: { type: "object", properties: { again: {} } } },
    });
    expect(cycles).toEqual(["#Self"]);
  });
});
