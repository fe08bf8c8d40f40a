import type { Json } from "@kubewright/cel/json";
import { describe, expect, it } from "vitest";
import { normalize } from "./decode.ts";
import { goStruct } from "./go-types.ts";

const read = (schema: Json) => normalize(goStruct("apiextensions/v1.JSONSchemaProps"), schema);

describe("schemas in items, additionalProperties and dependencies", () => {
  // Go's protobuf writes all optional fields of a schema.
  const written = { type: "string", title: "", nullable: false, pattern: "", enum: [], foo: 1 };

  it.each([
    ["items", { items: written }, { items: { type: "string" } }],
    ["items with a list", { items: [written] }, { items: [{ type: "string" }] }],
    ["additionalProperties", { additionalProperties: written }, { additionalProperties: { type: "string" } }],
    ["dependencies", { dependencies: { a: written } }, { dependencies: { a: { type: "string" } } }],
    ["items in items", { items: { items: written } }, { items: { items: { type: "string" } } }],
  ])("lose empty optional fields and unknown ones without a report: %s", (_, given, expected) => {
    const { object, unknown } = read(given);
    expect({ object, unknown }).toEqual({ object: expected, unknown: [] });
  });

  it("keep the values of another form that Go keeps, and lose the rest", () => {
    const { object } = read({ items: 5, additionalProperties: true, dependencies: { a: ["b"], c: "d" } });
    expect(object).toEqual({ items: null, additionalProperties: true, dependencies: { a: ["b"], c: null } });
  });

  it("have errors with their position", () => {
    const field = "JSONSchemaProps.items.properties.items.maxLength";
    const message = `json: cannot unmarshal string into Go struct field ${field} of type int64`;
    expect(() => read({ items: { properties: { a: { items: { maxLength: "x" } } } } })).toThrow(message);
    expect(() => read({ additionalProperties: [] })).toThrow("boolean or JSON schema expected");
  });
});
