import { describe, expect, it } from "vitest";
import type { JSONSchema } from "../schema/model/json-schema.ts";
import { compareCrds } from "./compare-crds.ts";
import type { Crd, CrdVersion } from "./crd.ts";

const names = { kind: "Thing", listKind: "ThingList", plural: "things", singular: "thing" };

function crdOf(versions: CrdVersion[], more: Partial<Crd["spec"]> = {}): Crd {
  return { metadata: { name: "things.example.com" }, spec: { scope: "Namespaced", names, versions, ...more } };
}

const v1 = (schema: JSONSchema, more: Partial<CrdVersion> = {}): CrdVersion => {
  return { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more };
};

/** Returns the changes of a field `f`, as `id place: message`. */
function ofField(
  before: JSONSchema | undefined,
  after: JSONSchema | undefined,
  more: [JSONSchema?, JSONSchema?] = [],
): string[] {
  const schema = (field: JSONSchema | undefined, extra: JSONSchema = {}): JSONSchema => {
    return { type: "object", properties: field ? { f: field } : {}, ...extra };
  };
  return changesOf(crdOf([v1(schema(before, more[0]))]), crdOf([v1(schema(after, more[1]))]));
}

function changesOf(before: Crd, after: Crd): string[] {
  return compareCrds(before, after).map(({ id, version, field, message }) => {
    return `${id} ${[version, field].filter(Boolean).join(" ")}: ${message}`;
  });
}

const text: JSONSchema = { type: "string" };
const int: JSONSchema = { type: "integer" };
const object = (properties: Record<string, JSONSchema>, more: JSONSchema = {}): JSONSchema => ({
  type: "object",
  properties,
  ...more,
});

type Case = [name: string, before: JSONSchema, after: JSONSchema, change: string];

describe("compareCrds reports for a field", () => {
  it.each<Case>([
    ["another type", text, int, "type-changed v1 .f: was string and is integer"],
    ["a wider type", int, { type: "number" }, "type-changed v1 .f: was integer and is number"],
    [
      "int or string that is only an integer",
      { "x-kubernetes-int-or-string": true },
      int,
      "type-changed v1 .f: was integer or string and is integer",
    ],
    [
      "a map that is an object with fields",
      { type: "object", additionalProperties: text },
      object({ a: text }),
      "type-changed v1 .f: was map and is object",
    ],
    [
      "a narrower integer format",
      { ...int, format: "int64" },
      { ...int, format: "int32" },
      "format-changed v1 .f: format was int64 and is int32",
    ],
    ["a new format", text, { ...text, format: "date-time" }, "format-changed v1 .f: format date-time is new"],
    [
      "a removed enum value",
      { ...text, enum: ["a", "b"] },
      { ...text, enum: ["b", "c"] },
      'enum-narrowed v1 .f: "a" is no longer allowed',
    ],
    ["a new enum", text, { ...text, enum: ["a"] }, 'enum-narrowed v1 .f: only "a" are now allowed'],
    [
      "a narrower enum in an allOf",
      { ...text, enum: ["a", "b"] },
      { ...text, allOf: [{ enum: ["a", "b"] }, { enum: ["b"] }] },
      'enum-narrowed v1 .f: "a" is no longer allowed',
    ],
    [
      "a higher minimum",
      { ...int, minimum: 1 },
      { ...int, minimum: 2 },
      "limit-narrowed v1 .f: minimum was 1 and is 2",
    ],
    ["a new minimum", int, { ...int, minimum: 0 }, "limit-narrowed v1 .f: minimum 0 is new"],
    [
      "a minimum that is now exclusive",
      { ...int, minimum: 1 },
      { ...int, minimum: 1, exclusiveMinimum: true },
      "limit-narrowed v1 .f: minimum 1 is now exclusive",
    ],
    ["a lower maximum", { ...int, maximum: 5 }, { ...int, maximum: 4 }, "limit-narrowed v1 .f: maximum was 5 and is 4"],
    [
      "a maximum that is now exclusive",
      { ...int, maximum: 1 },
      { ...int, maximum: 1, exclusiveMaximum: true },
      "limit-narrowed v1 .f: maximum 1 is now exclusive",
    ],
    [
      "another multipleOf",
      { ...int, multipleOf: 3 },
      { ...int, multipleOf: 6 },
      "limit-narrowed v1 .f: multipleOf was 3 and is 6",
    ],
    ["a larger minLength", text, { ...text, minLength: 1 }, "limit-narrowed v1 .f: minLength 1 is new"],
    [
      "a smaller maxLength",
      { ...text, maxLength: 9 },
      { ...text, maxLength: 8 },
      "limit-narrowed v1 .f: maxLength was 9 and is 8",
    ],
    [
      "fewer items",
      { type: "array", items: text },
      { type: "array", items: text, maxItems: 3 },
      "limit-narrowed v1 .f: maxItems 3 is new",
    ],
    [
      "unique items",
      { type: "array", items: text },
      { type: "array", items: text, uniqueItems: true },
      "limit-narrowed v1 .f: uniqueItems is new",
    ],
    [
      "more properties",
      { type: "object", additionalProperties: text },
      { type: "object", additionalProperties: text, minProperties: 1 },
      "limit-narrowed v1 .f: minProperties 1 is new",
    ],
    ["a new pattern", text, { ...text, pattern: "^a" }, "pattern-changed v1 .f: pattern ^a is new"],
    [
      "another pattern",
      { ...text, pattern: "^a" },
      { ...text, pattern: "^b" },
      "pattern-changed v1 .f: pattern was ^a and is ^b",
    ],
    ["null", { ...text, nullable: true }, text, "nullable-removed v1 .f: null is no longer allowed"],
    ["a removed default", { ...int, default: 1 }, int, "default-removed v1 .f: the default 1 was removed"],
    [
      "another default",
      { ...int, default: 1 },
      { ...int, default: 2 },
      "default-changed v1 .f: the default was 1 and is 2",
    ],
    [
      "another list type",
      { type: "array", items: text },
      { type: "array", items: text, "x-kubernetes-list-type": "set" },
      "list-type-changed v1 .f: the list type was atomic and is set",
    ],
    [
      "other list keys",
      { type: "array", items: object({}), "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"] },
      { type: "array", items: object({}), "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["b"] },
      "list-type-changed v1 .f: the list's keys was a and is b",
    ],
    [
      "another map type",
      object({ a: text }),
      object({ a: text }, { "x-kubernetes-map-type": "atomic" }),
      "list-type-changed v1 .f: the map type was granular and is atomic",
    ],
    [
      "unknown fields that aren't preserved anymore",
      object({}, { "x-kubernetes-preserve-unknown-fields": true }),
      object({}),
      "unknown-fields-pruned v1 .f: unknown fields are now dropped",
    ],
    [
      "a type change of a whole object",
      object({}),
      object({}, { "x-kubernetes-embedded-resource": true }),
      "validation-added v1 .f: the value must now be a whole Kubernetes object",
    ],
    [
      "allOf",
      text,
      { ...text, allOf: [{ minLength: 1 }] },
      "validation-added v1 .f: allOf has changed and may be stricter",
    ],
    [
      "an anyOf with a branch less",
      { ...text, anyOf: [{ minLength: 1 }, { pattern: "a" }] },
      { ...text, anyOf: [{ minLength: 1 }] },
      "validation-added v1 .f: anyOf has changed and may be stricter",
    ],
    [
      "a oneOf with another branch",
      { ...text, oneOf: [{ minLength: 1 }] },
      { ...text, oneOf: [{ minLength: 1 }, { pattern: "a" }] },
      "validation-added v1 .f: oneOf has changed and may be stricter",
    ],
    ["not", text, { ...text, not: { pattern: "a" } }, "validation-added v1 .f: not has changed and may be stricter"],
    [
      "a new rule",
      text,
      { ...text, "x-kubernetes-validations": [{ rule: "self != ''" }] },
      "rule-added v1 .f: the rule self != '' is new",
    ],
    [
      "a removed field in a list",
      { type: "array", items: object({ a: text }) },
      { type: "array", items: object({}) },
      "field-removed v1 .f[*].a: was removed",
    ],
    [
      "a removed field in a map",
      { type: "object", additionalProperties: object({ a: text }) },
      { type: "object", additionalProperties: object({}) },
      "field-removed v1 .f[*].a: was removed",
    ],
  ])("%s", (_, before, after, change) => {
    expect(ofField(before, after)).toEqual([change]);
  });

  it("a removed field", () => expect(ofField(text, undefined)).toEqual(["field-removed v1 .f: was removed"]));
  it("a required field", () => {
    expect(ofField(text, text, [{}, { required: ["f"] }])).toEqual(["field-required v1 .f: is now required"]);
    expect(ofField(undefined, text, [{}, { required: ["f"] }])).toEqual(["field-required v1 .f: is new and required"]);
  });
});

describe("compareCrds accepts for a field", () => {
  it.each<[string, JSONSchema, JSONSchema]>([
    ["another description, title or example", text, { ...text, description: "x", title: "x", example: "x" }],
    ["a wider integer format", { ...int, format: "int32" }, { ...int, format: "int64" }],
    ["a removed format", { ...text, format: "uri" }, text],
    ["any type", text, { "x-kubernetes-preserve-unknown-fields": true }],
    ["more enum values, in another order", { ...text, enum: ["a", "b"] }, { ...text, enum: ["c", "b", "a"] }],
    ["a removed enum", { ...text, enum: ["a"] }, text],
    [
      "an enum that was in all branches of an allOf",
      { ...text, allOf: [{ enum: ["a", "b"] }, { enum: ["a", "b"] }] },
      { ...text, enum: ["a", "b"] },
    ],
    [
      "an enum that moves to branches of an allOf",
      { ...text, enum: ["a", "b"] },
      { ...text, allOf: [{ enum: ["a", "b"] }, { enum: ["a", "b", "c"] }] },
    ],
    ["wider limits", { ...int, minimum: 2, maximum: 5 }, { ...int, minimum: 1, maximum: 6 }],
    ["removed limits", { ...text, minLength: 1, maxLength: 5, pattern: "a" }, text],
    ["a minLength of 0", text, { ...text, minLength: 0 }],
    ["a minimum that isn't exclusive anymore", { ...int, minimum: 1, exclusiveMinimum: true }, { ...int, minimum: 1 }],
    ["a smaller multipleOf", { ...int, multipleOf: 6 }, { ...int, multipleOf: 3 }],
    ["a new nullable", text, { ...text, nullable: true }],
    ["a new default", int, { ...int, default: 1 }],
    [
      "an explicit list type with the default value",
      { type: "array", items: text },
      { type: "array", items: text, "x-kubernetes-list-type": "atomic" },
    ],
    ["preserved unknown fields", object({}), object({}, { "x-kubernetes-preserve-unknown-fields": true })],
    [
      "a removed field among preserved unknown fields",
      object({ a: text }),
      object({}, { "x-kubernetes-preserve-unknown-fields": true }),
    ],
    [
      "an allOf with a branch less",
      { ...text, allOf: [{ minLength: 1 }, { maxLength: 5 }] },
      { ...text, allOf: [{ minLength: 1 }] },
    ],
    [
      "an anyOf with another branch",
      { ...text, anyOf: [{ minLength: 1 }] },
      { ...text, anyOf: [{ minLength: 1 }, { pattern: "a" }] },
    ],
    [
      "a oneOf in another order or removed",
      { ...text, oneOf: [{ minLength: 1 }, { pattern: "a" }] },
      { ...text, oneOf: [{ pattern: "a" }, { minLength: 1 }] },
    ],
    [
      "a removed rule, or another message",
      { ...text, "x-kubernetes-validations": [{ rule: "a" }, { rule: "b" }] },
      { ...text, "x-kubernetes-validations": [{ rule: "a", message: "m" }] },
    ],
    ["a new optional field", object({ a: text }), object({ a: text, b: text })],
    ["a new required field with a default", object({}), object({ a: { ...text, default: "" } }, { required: ["a"] })],
    [
      "a required field with a default",
      object({ a: text }),
      object({ a: { ...text, default: "" } }, { required: ["a"] }),
    ],
    ["a field that isn't required anymore", object({ a: text }, { required: ["a"] }), object({ a: text })],
    ["a required field in a new one", object({}), object({ a: object({ b: text }, { required: ["b"] }) })],
  ])("%s", (_, before, after) => {
    expect(ofField(before, after)).toEqual([]);
    expect(ofField(before, before)).toEqual([]);
  });
});

describe("compareCrds reports for a CRD", () => {
  const schema = object({ a: text });
  const two = [v1(schema), { ...v1(schema), name: "v2", storage: false }];
  it.each<[string, Crd, Crd, string[]]>([
    [
      "another scope",
      crdOf(two),
      crdOf(two, { scope: "Cluster" }),
      ["scope-changed : the scope was Namespaced and is Cluster"],
    ],
    [
      "another name",
      crdOf(two),
      crdOf(two, { names: { ...names, kind: "Other" } }),
      ["names-changed : the kind was Thing and is Other"],
    ],
    [
      "unknown fields that aren't preserved anymore",
      crdOf(two, { preserveUnknownFields: true }),
      crdOf(two, { preserveUnknownFields: false }),
      ["unknown-fields-pruned : unknown fields are now dropped"],
    ],
    ["a removed version", crdOf(two), crdOf(two.slice(0, 1)), ["version-removed v2: was removed"]],
    [
      "a version that isn't served anymore",
      crdOf(two),
      crdOf([two[0]!, { ...two[1]!, served: false }]),
      ["version-unserved v2: is no longer served"],
    ],
    [
      "a removed storage version",
      crdOf(two),
      crdOf([{ ...two[1]!, storage: true }]),
      ["storage-version-removed v1: the storage version was removed: stored objects can't be read any longer"],
    ],
    [
      "a removed subresource",
      crdOf([v1(schema, { subresources: { status: {} } })]),
      crdOf([v1(schema)]),
      ["subresource-removed v1: the subresource status was removed"],
    ],
    [
      "other paths of a subresource",
      crdOf([v1(schema, { subresources: { scale: { a: ".b" } } })]),
      crdOf([v1(schema, { subresources: { scale: { a: ".c" } } })]),
      ["subresource-removed v1: the paths of the subresource scale changed"],
    ],
    [
      "a removed field of each version",
      crdOf(two),
      crdOf(two.map((crdVersion) => ({ ...crdVersion, schema: { openAPIV3Schema: object({}) } }))),
      ["field-removed v1 .a: was removed", "field-removed v2 .a: was removed"],
    ],
  ])("%s", (_, before, after, changes) => {
    expect(changesOf(before, after)).toEqual(changes);
  });

  it.each<[string, Crd, Crd]>([
    ["a new version", crdOf(two.slice(0, 1)), crdOf(two)],
    [
      "another storage version, if both still exist",
      crdOf(two),
      crdOf([
        { ...two[0]!, storage: false },
        { ...two[1]!, storage: true },
      ]),
    ],
    ["a newly served version", crdOf([two[0]!, { ...two[1]!, served: false }]), crdOf(two)],
    ["a new subresource", crdOf([v1(schema)]), crdOf([v1(schema, { subresources: { status: {} } })])],
    [
      "short names and categories",
      crdOf(two, { names: { ...names, shortNames: ["t"], categories: ["all"] } }),
      crdOf(two),
    ],
    [
      "printer columns and selectable fields",
      crdOf([{ ...two[0]!, ...{ additionalPrinterColumns: [{}], selectableFields: [{}] } }]),
      crdOf(two.slice(0, 1)),
    ],
    [
      "the schema of a version that is neither served nor stored",
      crdOf([two[0]!, { ...two[1]!, served: false }]),
      crdOf([two[0]!, { ...two[1]!, served: false, schema: { openAPIV3Schema: object({}) } }]),
    ],
  ])("no change for %s", (_, before, after) => {
    expect(changesOf(before, after)).toEqual([]);
  });
});
