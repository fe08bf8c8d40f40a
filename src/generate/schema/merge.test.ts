import { describe, expect, it } from "vitest";
import { createFlattener } from "./flatten.ts";
import type { JSONSchema } from "./json-schema.ts";
import { mergeAllOf } from "./merge.ts";

const merge = (schema: JSONSchema) => {
  const conflicts: string[] = [];
  return {
    ...mergeAllOf(schema, (message) => conflicts.push(message)),
    ...(conflicts.length > 0 ? { conflicts } : {}),
  };
};

describe("mergeAllOf", () => {
  it.each<[string, JSONSchema, unknown]>([
    ["one side", { allOf: [{ type: "string" }, { minLength: 1 }] }, { type: "string", minLength: 1 }],
    [
      "equal scalars",
      {
        allOf: [
          { type: "string", format: "a" },
          { type: "string", format: "a" },
        ],
      },
      { type: "string", format: "a" },
    ],
    [
      "equal limits stay twice",
      { allOf: [{ minLength: 1 }, { minLength: 1 }] },
      { allOf: [{ minLength: 1 }, { minLength: 1 }] },
    ],
    [
      "other limits stay side by side",
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
    ["equal minProperties are one", { allOf: [{ minProperties: 1 }, { minProperties: 1 }] }, { minProperties: 1 }],
    [
      "other minProperties stay",
      { allOf: [{ minProperties: 2 }, { minProperties: 1 }] },
      { allOf: [{ minProperties: 2 }, { minProperties: 1 }] },
    ],
    [
      "types in conflict",
      { allOf: [{ type: "string" }, { type: "array" }] },
      { type: "string", conflicts: ["conflicting types in allOf branches in schema: string vs array"] },
    ],
    ["the first enum", { allOf: [{ enum: ["a"] }, { enum: ["b"] }] }, { enum: ["a"] }],
    [
      "required sorted and once",
      { required: ["c"], allOf: [{ required: ["b", "c"] }, { required: ["a"] }] },
      { required: ["a", "b", "c"] },
    ],
    [
      "properties within",
      { allOf: [{ properties: { a: { type: "string" } } }, { properties: { a: { minLength: 1 }, b: {} } }] },
      { properties: { a: { type: "string", minLength: 1 }, b: {} } },
    ],
    [
      "additional properties within",
      { allOf: [{ additionalProperties: { type: "string" } }, { additionalProperties: { minLength: 1 } }] },
      { additionalProperties: { type: "string", minLength: 1 } },
    ],
    [
      "the later map type",
      { allOf: [{ "x-kubernetes-map-type": "a" }, { "x-kubernetes-map-type": "b" }] },
      { "x-kubernetes-map-type": "b" },
    ],
    [
      "later rules before earlier ones",
      { allOf: [{ "x-kubernetes-validations": [{ rule: "a" }] }, { "x-kubernetes-validations": [{ rule: "b" }] }] },
      { "x-kubernetes-validations": [{ rule: "b" }, { rule: "a" }] },
    ],
    ["no documentation", { allOf: [{ description: "a" }, { title: "b" }] }, {}],
    ["allOf in allOf", { allOf: [{ allOf: [{ type: "string" }], minLength: 1 }] }, { type: "string", minLength: 1 }],
    [
      "what is deeper",
      { items: { allOf: [{ type: "string" }, { minLength: 1 }] } },
      { items: { type: "string", minLength: 1 } },
    ],
    ["two defaults stay", { allOf: [{ default: 1 }, { default: 1 }] }, { allOf: [{ default: 1 }, { default: 1 }] }],
  ])("%s", (_, schema, expected) => {
    expect(merge(schema)).toEqual(expected);
  });

  it("changes nothing of what it is given", () => {
    const schema = { properties: { a: {} }, allOf: [{ properties: { a: { type: "string" } } }] };
    const before = structuredClone(schema);
    merge(schema);
    expect(schema).toEqual(before);
  });
});

describe("flatten", () => {
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

  it("puts what a reference stands for in its place, the field's documentation first", () => {
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

  it("cuts a type off inside itself, one level down for the type that is asked for", () => {
    expect(merge(flattener().flattenType("#Self"))).toEqual({
      type: "object",
      properties: { again: { type: "object", properties: { again: {} } } },
    });
    expect(cycles).toEqual(["#Self"]);
  });
});
