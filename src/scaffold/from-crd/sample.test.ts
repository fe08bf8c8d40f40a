import { describe, expect, it } from "vitest";
import { sampleProblems } from "../../cli/models/sample-problems.ts";
import type { JSONSchema } from "../../kubernetes/json-schema.ts";
import { sampleOf } from "./sample.ts";

const names = { apiVersion: "tools.example.org/v1", kind: "Tool", name: "tool-sample" };
const made = (schema: JSONSchema) => sampleOf(schema, names, sampleProblems());

/** Returns the value of a property in the sample's spec. */
function value(property: JSONSchema): unknown {
  const spec = { type: "object", required: ["it"], properties: { it: property } };
  const { values, notes } = made({ type: "object", properties: { spec } });
  expect(notes).toEqual([]);
  return (values.spec as { it: unknown }).it;
}

it("notes each part that the schema rejects", () => {
  const choice: JSONSchema = { type: "string", oneOf: [{ format: "ipv4" }, { format: "ipv6" }] };
  const spec: JSONSchema = { type: "object", required: ["ghost", "ip"], properties: { ip: choice } };
  expect(made({ type: "object", properties: { spec } }).notes).toEqual([
    '.spec: the required field "ghost" is missing',
    '.spec.ip: "example" matches 0 of the alternatives instead of exactly one',
  ]);
});

it("may have the metadata of an embedded object", () => {
  const metadata: JSONSchema = { type: "object" };
  const dns: JSONSchema = { type: "object", "x-kubernetes-embedded-resource": true, properties: { metadata } };
  const spec: JSONSchema = { type: "object", required: ["dns"], properties: { dns } };
  expect(made({ type: "object", properties: { spec } }).notes).toEqual([]);
});

it("has the first name that the schema lists", () => {
  const metadata: JSONSchema = { type: "object", properties: { name: { type: "string", enum: ["a.io", "b.io"] } } };
  expect(made({ type: "object", properties: { metadata } })).toMatchObject({ name: "a.io", notes: [] });
});

describe("the sample of a CRD", () => {
  it.each<[string, JSONSchema, unknown]>([
    ["a default", { type: "string", default: "x", enum: ["y", "x"] }, "x"],
    ["an example", { type: "string", pattern: "^[a-z]$", example: "q" }, "q"],
    ["an enum", { type: "string", enum: ["Full", "Part"] }, "Full"],
    ["a string", { type: "string" }, "example"],
    ["a short string", { type: "string", maxLength: 2 }, "a"],
    ["a long string", { type: "string", minLength: 90 }, "example".repeat(13).slice(0, 90)],
    ["a pattern", { type: "string", pattern: "^[0-9]+(Mi|Gi)$" }, "1Gi"],
    ["a pattern of no usual text", { type: "string", pattern: "^oci://.*$", minLength: 8 }, "oci://example"],
    ["a format and a pattern", { type: "string", format: "uri", pattern: "^oci://" }, "oci://example"],
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
    expect(made({ type: "object", required: ["data", "status"], properties }).values).toEqual({ data: 1 });
  });

  it("has notes about fields without a known value", () => {
    const spec = {
      type: "object",
      required: ["it"],
      properties: { it: { type: "string", pattern: "^Z$|^$", minLength: 7 } },
    };
    expect(made({ type: "object", properties: { spec } })).toEqual({
      name: "tool-sample",
      values: { spec: { it: "" } },
      notes: [".spec.it: give it a text that matches ^Z$|^$"],
    });
  });

  const text: JSONSchema = { type: "string" };
  it.each<[string, JSONSchema, string | string[], unknown]>([
    [
      "the values of two texts",
      { type: "object", required: ["zone", "parent"], properties: { zone: text, parent: text } },
      ["self.zone != self.parent", "self.zone.endsWith('.' + self.parent)"],
      { zone: "example.example", parent: "example" },
    ],
    ["a text", text, "self.startsWith('team-')", "team-example"],
    ["a text by a pattern", text, "self.matches(r'^s3://[a-z]+$')", "s3://example"],
    ["a list of texts", { type: "array", items: text }, "self.exists(x, x == 'main')", ["main"]],
    ["a URL", text, "isURL(self) && url(self).getScheme() == 'https'", "https://example.com"],
    [
      "the order of two numbers",
      { type: "object", required: ["min", "max"], properties: { min: { type: "integer" }, max: { type: "integer" } } },
      "self.min < self.max",
      { min: 0, max: 1 },
    ],
    [
      "a field that another one needs",
      { type: "object", properties: { mode: { type: "string", enum: ["A", "B"], default: "B" }, b: text } },
      "self.mode == 'B' ? has(self.b) : true",
      { mode: "A" },
    ],
    [
      "two fields that are required together",
      { type: "object", properties: { a: text, b: text } },
      "has(self.a) && has(self.b)",
      { a: "example", b: "example" },
    ],
  ])("follows a rule about %s", (_, schema, rule, expected) => {
    const rules = [rule].flat().map((each) => ({ rule: each }));
    expect(value({ ...schema, "x-kubernetes-validations": rules })).toEqual(expected);
  });

  it("has the only name that a rule allows", () => {
    const rule = { rule: "self.metadata.name == 'cluster'", message: "it is a singleton" };
    const schema: JSONSchema = { type: "object", properties: { spec: { type: "object" } } };
    expect(made({ ...schema, "x-kubernetes-validations": [rule] })).toEqual({
      name: "cluster",
      values: { spec: {} },
      notes: [],
    });
  });

  it("has notes about rules that it violates", () => {
    const rule = { rule: "self.a.size() == 3 && self.b.size() == self.a.size() * 7", message: "b must be longer" };
    const spec: JSONSchema = { type: "object", required: ["a", "b"], properties: { a: text, b: text } };
    const properties = { spec: { ...spec, "x-kubernetes-validations": [rule] } };
    expect(made({ type: "object", properties }).notes).toEqual([".spec: b must be longer"]);
  });

  it("tries a limited number of values, for any number of fields and rules", () => {
    const fields = Array.from({ length: 40 }, (_, index) => `f${index}`);
    const properties = Object.fromEntries(fields.map((name) => [name, text]));
    const rules = fields.map((name) => ({ rule: `self.${name} == self.f0 + 'x'` }));
    const spec: JSONSchema = { type: "object", required: fields, properties, "x-kubernetes-validations": rules };
    let checked = 0;
    const { ofSchema, ofRules } = sampleProblems();
    const counted = {
      ofSchema,
      ofRules(...args: Parameters<typeof ofRules>) {
        checked++;
        return ofRules(...args);
      },
    };
    sampleOf({ type: "object", properties: { spec } }, names, counted);
    expect(checked).toBeLessThan(600);
  });
});
