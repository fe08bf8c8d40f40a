import { describe, expect, it } from "vitest";
import { stringFormat, supportedFormat } from "../formats/formats.ts";
import { decodeJson } from "../json/decode.ts";
import type { Json } from "../json/json.ts";
import { cloneJson } from "../json/values.ts";
import { fieldErrorMessage } from "../validation/field-error.ts";
import { CorrelatedObject } from "./correlated-object.ts";
import { pruneDefaults } from "./default-checks.ts";
import { applyDefaults, removeNulls } from "./defaults.ts";
import { coerceMetadata, validateEmbeddedMetadata } from "./embedded-metadata.ts";
import { validateListTypes } from "./list-types.ts";
import { prune } from "./prune.ts";
import type { Schema } from "./schema.ts";
import { validateSchema, validateSchemaUpdate } from "./validate.ts";

const preserve = { "x-kubernetes-preserve-unknown-fields": true } as const;

function pruned(value: Json, schema: Schema, isResource = false): { value: Json; removed: string[] } {
  const copy = cloneJson(value);
  const removed = prune(copy, schema, isResource);
  return { value: copy, removed };
}

describe("prune", () => {
  it("removes unknown fields of objects and items", () => {
    const item: Schema = { type: "object", properties: { a: {} } };
    const schema: Schema = { properties: { list: { type: "array", items: item } } };
    expect(pruned({ list: [{ a: 1, b: 2 }, { c: 3 }], x: 1 }, schema)).toEqual({
      value: { list: [{ a: 1 }, {}] },
      removed: ["list[0].b", "list[1].c", "x"],
    });
  });

  it("preserves unknown fields, but prunes within known ones", () => {
    const schema: Schema = { ...preserve, properties: { known: { type: "object" } } };
    expect(pruned({ known: { a: 1 }, other: { b: 1 } }, schema)).toEqual({
      value: { known: {}, other: { b: 1 } },
      removed: ["known.a"],
    });
  });

  it("keeps scalars of maps without a schema and empties their objects", () => {
    expect(pruned({ a: 1, b: { c: 1 }, d: [[{ e: 1 }]] }, { additionalProperties: true })).toEqual({
      value: { a: 1, b: {}, d: [[{}]] },
      removed: ["b.c", "d[0][0].e"],
    });
  });

  it("keeps the metadata of resources", () => {
    const value = { apiVersion: "v1", kind: "K", metadata: { x: 1 }, spec: {} };
    expect(pruned(value, {}, true)).toEqual({
      value: { apiVersion: "v1", kind: "K", metadata: { x: 1 } },
      removed: ["spec"],
    });
  });

  it("preserves items of preserved lists", () => {
    const schema: Schema = {
      ...preserve,
      type: "array",
      items: { type: "object", properties: { a: { type: "object" } } },
    };
    expect(pruned([{ a: { b: 1 }, c: 1 }], schema).value).toEqual([{ a: {}, c: 1 }]);
  });

  it("doesn't overflow the stack", () => {
    const { value } = decodeJson(`{"x":${"[".repeat(9_990)}{"a":1}${"]".repeat(9_990)}}`);
    expect(prune(value, { properties: { x: { type: "array" } } }, false)).toHaveLength(1);
  });
});

describe("defaults", () => {
  const schema: Schema = {
    properties: {
      a: { type: "string", default: "A" },
      nullable: { type: "string", nullable: true, default: "N" },
      list: { type: "array", items: { type: "object", properties: { b: { type: "integer", default: 1 } } } },
      map: { type: "object", additionalProperties: { type: "object", properties: { c: { default: true } } } },
      plain: { type: "string" },
    },
  };

  it("are added to objects, items and maps", () => {
    const value = { list: [{}, { b: 2 }], map: { x: {} } };
    applyDefaults(value, schema);
    expect(value).toEqual({ a: "A", nullable: "N", list: [{ b: 1 }, { b: 2 }], map: { x: { c: true } } });
  });

  it("replace null unless the field is nullable", () => {
    const value: Json = { a: null, nullable: null, plain: null };
    removeNulls(value, schema);
    applyDefaults(value, schema);
    expect(value).toEqual({ a: "A", nullable: null });
  });

  it("are copies", () => {
    const shared: Schema = { properties: { o: { default: { x: 1 } } } };
    const value: { o?: { x: number } } = {};
    applyDefaults(value, shared);
    value.o!.x = 2;
    expect(shared.properties?.o?.default).toEqual({ x: 1 });
  });
});

describe("pruneDefaults", () => {
  const metadata = { name: "a", unknown: "b" };
  const embedded: Schema = { type: "object", "x-kubernetes-embedded-resource": true };
  const object = (properties: Record<string, Schema>): Schema => ({ type: "object", properties });

  it.each<[string, Schema, Schema]>([
    [
      "of an embedded resource",
      { ...embedded, default: { kind: "A", metadata } },
      { ...embedded, default: { kind: "A", metadata: { name: "a" } } },
    ],
    [
      "of its metadata",
      { ...embedded, properties: { metadata: { type: "object", default: metadata } } },
      { ...embedded, properties: { metadata: { type: "object", default: { name: "a" } } } },
    ],
    [
      "around an embedded resource",
      { ...object({ inner: embedded }), default: { inner: { metadata } } },
      { ...object({ inner: embedded }), default: { inner: { metadata: { name: "a" } } } },
    ],
    [
      "in lists and maps",
      { type: "array", items: { type: "object", additionalProperties: { ...embedded, default: { metadata } } } },
      {
        type: "array",
        items: { type: "object", additionalProperties: { ...embedded, default: { metadata: { name: "a" } } } },
      },
    ],
  ])("removes unknown metadata from a default %s", (_name, schema, expected) => {
    expect(pruneDefaults(object({ a: schema, b: { default: 1 } }))).toEqual(object({ a: expected, b: { default: 1 } }));
  });

  it("removes the default of a field that metadata doesn't have", () => {
    const { properties = {} } = pruneDefaults(
      object({ a: { ...embedded, properties: { metadata: object({ unknown: { type: "string", default: "x" } }) } } }),
    );
    const value: Json = { a: { metadata: {} } };
    applyDefaults(value, object(properties));
    expect(value).toEqual({ a: { metadata: {} } });
  });

  it("returns the schema itself if there is nothing to remove", () => {
    const schema = object({ a: { ...embedded, default: { metadata: { name: "a" } } } });
    expect(pruneDefaults(schema)).toBe(schema);
  });
});

describe("validateSchema", () => {
  const messages = (schema: Schema, value: Json) => validateSchema(schema, value).map(fieldErrorMessage);
  const spec = (schema: Schema): Schema => ({
    type: "object",
    properties: { spec: { type: "object", properties: { x: schema } } },
  });
  const messagesOf = (schema: Schema, x: Json) => messages(spec(schema), { spec: { x } });

  it("prints an integer as a float after a comparison with a fractional bound", () => {
    const boundary = "Maximum boundary value must be of type integer (default format) in spec.x";
    expect(messagesOf({ type: "integer", maximum: 0.5, multipleOf: 3 }, 1e12).sort()).toEqual([
      `<nil>: Invalid value: "": ${boundary}`,
      "spec.x: Invalid value: 1000000000000: spec.x in body should be a multiple of 3",
      "spec.x: Invalid value: 1e+12: spec.x in body should be less than or equal to 0.5",
    ]);
  });

  it.each<[Schema, Json, string[]]>([
    [{ type: "integer" }, "a", ['spec.x: Invalid value: "string": spec.x in body must be of type integer: "string"']],
    [
      { type: "integer" },
      1.5,
      [
        'spec.x: Invalid value: "number": spec.x in body must be of type integer: "number"',
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.x',
      ],
    ],
    [
      { type: "integer", minimum: 2 },
      1,
      ["spec.x: Invalid value: 1: spec.x in body should be greater than or equal to 2"],
    ],
    [
      { type: "integer", maximum: 2, exclusiveMaximum: true },
      2,
      ["spec.x: Invalid value: 2: spec.x in body should be less than 2"],
    ],
    [
      { type: "number", multipleOf: 0.5 },
      0.7,
      ["spec.x: Invalid value: 0.7: spec.x in body should be a multiple of 0.5"],
    ],
    [
      { type: "integer", format: "int32" },
      2147483648,
      ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.x'],
    ],
    [{ type: "string", maxLength: 5 }, "abcdef", ["spec.x: Too long: may not be more than 5 bytes"]],
    [
      { type: "string", minLength: 1 },
      "",
      ['spec.x: Invalid value: "": spec.x in body should be at least 1 chars long'],
    ],
    [{ type: "string", pattern: "^a" }, "b", ["spec.x: Invalid value: \"b\": spec.x in body should match '^a'"]],
    [{ type: "string", enum: ["a", "b"] }, "c", ['spec.x: Unsupported value: "c": supported values: "a", "b"']],
    [{ type: "array", maxItems: 1, items: {} }, [1, 2], ["spec.x: Too many: 2: must have at most 1 item"]],
    [
      { type: "array", minItems: 1, items: {} },
      [],
      ["spec.x: Invalid value: 0: spec.x in body should have at least 1 items"],
    ],
    [{ type: "object", maxProperties: 0 }, { a: 1 }, ["spec.x: Too many: 1: must have at most 0 items"]],
    [{ type: "object", required: ["y"] }, {}, ["spec.x.y: Required value"]],
    [
      { type: "string", format: "date" },
      "2026-02-30",
      ['spec.x: Invalid value: "2026-02-30": spec.x in body must be of type date: "2026-02-30"'],
    ],
    [
      { "x-kubernetes-int-or-string": true },
      true,
      ['spec.x: Invalid value: "boolean": spec.x in body must be of type integer,string: "boolean"'],
    ],
    [{ type: "string" }, null, ['spec.x: Invalid value: "null": spec.x in body must be of type string: "null"']],
    [{ type: "string", nullable: true }, null, []],
    [{ not: { required: ["a"] } }, { a: 1 }, ['<nil>: Invalid value: "": "spec.x" must not validate the schema (not)']],
    [
      { type: "object", additionalProperties: false },
      { a: 1 },
      ['spec.x: Invalid value: "a": spec.x.a in body is a forbidden property'],
    ],
  ])("%j rejects %j", (schema, value, expected) => {
    expect(messagesOf(schema, value)).toEqual(expected);
  });

  it("reports the errors of the best matching alternative", () => {
    const anyOf: Schema[] = [{ required: ["a"] }, { required: ["b"], properties: { c: { minimum: 5 } } }];
    expect(messagesOf({ type: "object", anyOf }, { c: 1 })).toEqual([
      '<nil>: Invalid value: "": "spec.x" must validate at least one schema (anyOf)',
      "spec.x.c: Invalid value: 1: spec.x.c in body should be greater than or equal to 5",
      "spec.x.b: Required value",
    ]);
  });

  it("counts the valid alternatives of oneOf", () => {
    expect(messagesOf({ oneOf: [{ minimum: 0 }, { minimum: 1 }] }, 2)).toEqual([
      '<nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ]);
  });

  it("compares 64-bit integers exactly", () => {
    const value = decodeJson('{"spec":{"x":9007199254740993}}').value;
    expect(messages(spec({ type: "integer", maximum: 5 }), value)).toEqual([
      "spec.x: Invalid value: 9007199254740993: spec.x in body should be less than or equal to 5",
    ]);
  });
});

it.each([
  ["411111111111", true],
  ["4111111111111111", true],
  ["41:11:11:11:11:11", true],
  ["4111.1111.1111", true],
  ["41111111111", false],
  ["41:11-11:11:11:11", false],
])("the format mac accepts %s: %s", (text, expected) => {
  expect(stringFormat("mac")?.(text)).toBe(expected);
});

describe("supportedFormat", () => {
  it.each([
    ["string", "date-time", "date-time"],
    ["string", "k8s-short-name", "k8s-short-name"],
    ["string", "foo", ""],
    ["integer", "int32", "int32"],
    ["integer", "date", ""],
    ["object", "date", ""],
  ])("of %s %s is %j", (type, format, expected) => {
    expect(supportedFormat(type, format)).toBe(expected);
  });
});

describe("validateSchemaUpdate", () => {
  const schema: Schema = {
    type: "object",
    properties: {
      kind: { type: "string", maxLength: 1 },
      a: { type: "string", maxLength: 1 },
      set: { type: "array", items: { type: "string", maxLength: 1 } },
      map: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object", properties: { k: { type: "string" }, v: { type: "integer", maximum: 1 } } },
      },
    },
  };
  const update = (value: Json, old: Json) =>
    validateSchemaUpdate(schema, new CorrelatedObject(value, old, schema)).map(({ field }) => field);

  it("keeps invalid values that don't change", () => {
    expect(update({ a: "long", map: [] }, { a: "long" })).toEqual([]);
    expect(update({ a: "longer" }, { a: "long" })).toEqual(["a"]);
  });

  it("compares items of map lists by their keys", () => {
    const old = {
      map: [
        { k: "x", v: 5 },
        { k: "y", v: 6 },
      ],
    };
    expect(
      update(
        {
          map: [
            { k: "new", v: 1 },
            { k: "y", v: 6 },
            { k: "x", v: 5 },
          ],
        },
        old,
      ),
    ).toEqual([]);
    expect(update({ map: [{ k: "x", v: 6 }] }, old)).toEqual(["map[0].v"]);
  });

  it("doesn't compare items of other lists, unless the whole list is unchanged", () => {
    expect(update({ a: "x", set: ["long"] }, { set: ["long"] })).toEqual([]);
    expect(update({ set: ["long", "b"] }, { set: ["long"] })).toEqual(["set[0]"]);
  });

  it("never ignores an invalid kind", () => {
    expect(update({ kind: "Long", a: "x" }, { kind: "Long" })).toEqual(["kind"]);
  });
});

describe("validateListTypes", () => {
  const list = (type: "set" | "map", keys?: string[]): Schema => ({
    properties: {
      l: { type: "array", "x-kubernetes-list-type": type, "x-kubernetes-list-map-keys": keys, items: {} },
    },
  });

  it.each<[Schema, Json[], string[]]>([
    [list("set"), ["a", "b", "a", "a"], ['l[2]: Duplicate value: "a"']],
    [
      list("set"),
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      ['l[1]: Duplicate value: {"a":1,"b":2}'],
    ],
    [list("set"), [1, "1"], []],
    [
      list("map", ["k"]),
      [
        { k: 1, v: 1 },
        { k: 1, v: 2 },
      ],
      ['l[1]: Duplicate value: {"k":1}'],
    ],
    [list("map", ["k"]), [{}, {}], ["l[1]: Duplicate value: {}"]],
    [
      list("map", ["k", "j"]),
      [
        { k: 1, j: 2 },
        { k: 1, j: 3 },
      ],
      [],
    ],
    [list("map", ["k"]), [1], ["l[0]: Invalid value: 1: must be an object for an array of list-type map"]],
  ])("%j with %j", (schema, value, expected) => {
    expect(validateListTypes(schema, { l: value }).map(fieldErrorMessage)).toEqual(expected);
  });
});

describe("embedded resources", () => {
  const schema: Schema = { properties: { t: { type: "object", "x-kubernetes-embedded-resource": true, ...preserve } } };

  it("normalizes their metadata", () => {
    const value: Json = { t: { apiVersion: "v1", kind: "K", metadata: { name: "a", x: 1, labels: {} } } };
    expect(coerceMetadata(value, schema, false, false)).toEqual({ error: undefined, unknown: ["t.metadata.x"] });
    expect(value).toEqual({ t: { apiVersion: "v1", kind: "K", metadata: { name: "a" } } });
  });

  it("rejects fields of the wrong type", () => {
    const { error } = coerceMetadata({ t: { kind: 1 } }, schema, false, false);
    expect(fieldErrorMessage(error!)).toBe("t.kind: Invalid value: 1: must be a string");
  });

  it("requires apiVersion and kind", () => {
    expect(
      validateEmbeddedMetadata({ t: { metadata: { labels: { a: "!" } } } }, schema, false).map(({ field }) => field),
    ).toEqual(["t.apiVersion", "t.kind", "t.metadata.labels"]);
  });
});
