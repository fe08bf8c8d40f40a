import { describe, expect, it } from "vitest";
import type { JSONSchema } from "../../kubernetes/json-schema.ts";
import { sampleOf } from "./sample.ts";

/** Returns the value of a property in the sample's spec. */
function value(property: JSONSchema): unknown {
  const spec = { type: "object", required: ["it"], properties: { it: property } };
  const { values, notes } = sampleOf({ type: "object", properties: { spec } });
  expect(notes).toEqual([]);
  return (values.spec as { it: unknown }).it;
}

describe("the sample of a CRD", () => {
  it.each<[string, JSONSchema, unknown]>([
    ["a default", { type: "string", default: "x", enum: ["y", "x"] }, "x"],
    ["an example", { type: "string", pattern: "^[a-z]$", example: "q" }, "q"],
    ["an enum", { type: "string", enum: ["Full", "Part"] }, "Full"],
    ["a string", { type: "string" }, "example"],
    ["a short string", { type: "string", maxLength: 2 }, "a"],
    ["a long string", { type: "string", minLength: 90 }, "example".repeat(13).slice(0, 90)],
    ["a pattern", { type: "string", pattern: "^[0-9]+(Mi|Gi)$" }, "1Gi"],
    ["a format", { type: "string", format: "date-time" }, "2026-01-31T12:00:00Z"],
    ["a number", { type: "integer" }, 1],
    ["a minimum", { type: "integer", minimum: 3, maximum: 9 }, 3],
    ["an exclusive minimum", { type: "integer", minimum: 3, exclusiveMinimum: true }, 4],
    [
      "an exclusive range below one",
      { type: "number", minimum: 0, maximum: 1, exclusiveMinimum: true, exclusiveMaximum: true },
      0.5,
    ],
    ["multiples", { type: "integer", minimum: 10, multipleOf: 8 }, 16],
    ["a negative maximum", { type: "integer", maximum: -5 }, -5],
    ["a boolean", { type: "boolean" }, false],
    [
      "an integer or a string",
      { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
      1,
    ],
    ["a list", { type: "array", items: { type: "string" } }, []],
    ["a list with several items", { type: "array", minItems: 2, items: { type: "string" } }, ["example", "example1"]],
    ["a map", { type: "object", additionalProperties: { type: "string" } }, {}],
    [
      "a map with entries",
      { type: "object", minProperties: 2, additionalProperties: { type: "integer" } },
      { example: 1, example2: 1 },
    ],
    ["anything", { "x-kubernetes-preserve-unknown-fields": true }, {}],
  ])("contains %s", (_, schema, expected) => {
    expect(value(schema)).toEqual(expected);
  });

  it("contains the required fields, and optional ones only if the CRD contains a value for them", () => {
    const properties = { a: { type: "string" }, b: { type: "integer", default: 7 }, c: { type: "boolean" } };
    expect(value({ type: "object", required: ["c"], properties })).toEqual({ b: 7, c: false });
  });

  it("contains the first of several alternatives", () => {
    const properties = { a: { type: "string" }, b: { type: "string" } };
    expect(value({ type: "object", properties, oneOf: [{ required: ["b"] }, { required: ["a"] }] })).toEqual({
      b: "example",
    });
  });

  it.each([
    "has(self.b)",
    "has(self.b)||has(self.a)",
    "(has(self.b)?1:0)+(has(self.a)?1:0) == 1",
    "[has(self.b),has(self.a)].filter(x,x==true).size() >= 1",
  ])("contains the field that the rule %s requires", (rule) => {
    const properties = { a: { type: "string" }, b: { type: "string" } };
    expect(value({ type: "object", properties, "x-kubernetes-validations": [{ rule }] })).toEqual({ b: "example" });
  });

  it("contains no spec if the CRD has none, and no status", () => {
    const properties = { data: { type: "integer" }, status: { type: "object" } };
    expect(sampleOf({ type: "object", required: ["data", "status"], properties }).values).toEqual({ data: 1 });
  });

  it("has notes about fields without a known value", () => {
    const spec = { type: "object", required: ["it"], properties: { it: { type: "string", pattern: "^Z{7}$" } } };
    expect(sampleOf({ type: "object", properties: { spec } })).toEqual({
      values: { spec: { it: "" } },
      notes: [".spec.it: give it a text that matches ^Z{7}$"],
    });
  });
});
