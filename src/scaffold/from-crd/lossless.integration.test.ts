// Parts of CRDs that the API server accepts and that types and markers can't express, or can only in a special form.
import { describe, expect, it } from "vitest";
import type { CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import type { JSONSchema } from "../../kubernetes/json-schema.ts";
import { roundTrip } from "./test-support/round-trip.ts";

function crdOf(spec: JSONSchema, served = true): CustomResourceDefinition {
  const schema: JSONSchema = { type: "object", properties: { spec } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "amounts.cases.example.com" },
    spec: {
      group: "cases.example.com",
      names: { kind: "Amount", plural: "amounts", singular: "amount", listKind: "AmountList" },
      scope: "Namespaced",
      versions: [{ name: "v1", served, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

const specOf = (properties: Record<string, JSONSchema>) => crdOf({ type: "object", properties });

describe("keywords on a type that they don't apply to are listed", () => {
  it.each<[string, JSONSchema, string]>([
    ["a minimum on a string", { type: "string", minimum: 1 }, "has minimum"],
    ["a length on a list", { type: "array", minLength: 1, items: { type: "string" } }, "has minLength"],
    ["a length on any value", { "x-kubernetes-preserve-unknown-fields": true, minLength: 1 }, "has minLength"],
    ["a pattern on an integer", { type: "integer", pattern: "^a" }, "has pattern"],
    ["a fraction on an integer", { type: "integer", minimum: 1.5 }, "has minimum"],
    ["items on a string", { type: "string", items: { type: "string" } }, "has items"],
    ["required on any object", { type: "object", required: ["b"] }, "has required"],
    ["a number of items on an object", { type: "object", minItems: 1 }, "has minItems"],
    ["a condition", { type: "string", not: { enum: ["b"] } }, "has not"],
    ["null in an enumeration", { type: "string", nullable: true, enum: ["b", null] }, "has enum"],
    [
      "null beside an enumeration",
      { type: "string", nullable: true, enum: ["b"] },
      "has nullable, without effect because of the enumeration",
    ],
  ])("%s", async (_, schema, note) => {
    const { notes, unlisted, diagnostics } = await roundTrip(specOf({ a: schema }));
    expect({ notes, unlisted }).toEqual({ notes: [`v1: .spec.a ${note}`], unlisted: [] });
    expect(diagnostics.filter((line) => line.startsWith("error"))).toEqual([]);
  });
});

describe("int-or-string without anyOf", () => {
  const value: JSONSchema = { "x-kubernetes-int-or-string": true };

  it("stays the same in a field", async () => {
    const { notes, differences } = await roundTrip(specOf({ a: value }));
    expect({ notes, differences }).toEqual({ notes: [], differences: [] });
  });

  it("is listed in lists and maps, where the generator adds it", async () => {
    const { notes, unlisted } = await roundTrip(
      specOf({ a: { type: "array", items: value }, b: { type: "object", additionalProperties: value } }),
    );
    const note = "has x-kubernetes-int-or-string without anyOf";
    expect({ notes, unlisted }).toEqual({ notes: [`v1: .spec.a[] ${note}`, `v1: .spec.b.* ${note}`], unlisted: [] });
  });
});

describe("an example", () => {
  const object: JSONSchema = { type: "object", properties: { b: { type: "string" } } };

  it("with false stays the same", async () => {
    const { notes, differences } = await roundTrip(specOf({ a: { type: "boolean", example: false } }));
    expect({ notes, differences }).toEqual({ notes: [], differences: [] });
  });

  it.each<[string, JSONSchema]>([
    ["an empty list", { type: "array", items: { type: "string" }, example: [] }],
    ["an object", { ...object, example: { b: "c" } }],
  ])("with %s is listed", async (_, a) => {
    const { notes, unlisted, diagnostics } = await roundTrip(specOf({ a }));
    expect({ notes, unlisted, diagnostics }).toEqual({
      notes: ["v1: .spec.a has example"],
      unlisted: [],
      diagnostics: [],
    });
  });

  it("is listed in lists, maps and the whole kind, for which no marker exists", async () => {
    const crd = specOf({
      a: { type: "array", items: { type: "string", example: "c" } },
      b: { type: "object", additionalProperties: { ...object, example: { b: "c" } } },
    });
    for (const { schema } of crd.spec.versions) schema.openAPIV3Schema.example = {};
    const { notes, unlisted, diagnostics } = await roundTrip(crd);
    const paths = [".spec.a[]", ".spec.b.*", "."];
    expect(notes).toEqual(paths.map((path) => `v1: ${path} has example`));
    expect({ unlisted, diagnostics }).toEqual({ unlisted: [], diagnostics: [] });
  });
});

it("several limits in allOf on a type that they don't apply to are listed", async () => {
  const parts = [1, 2].map((minimum) => ({ minimum, maximum: 9 }));
  const { notes, unlisted } = await roundTrip(specOf({ a: { type: "string", allOf: parts } }));
  expect({ notes, unlisted }).toEqual({ notes: ["v1: .spec.a has allOf"], unlisted: [] });
});

it("a kind without a type is listed, and gets one", async () => {
  const crd = crdOf({ type: "object" });
  for (const { schema } of crd.spec.versions) schema.openAPIV3Schema = { "x-kubernetes-preserve-unknown-fields": true };
  const { notes, unlisted } = await roundTrip(crd);
  expect({ notes, unlisted }).toEqual({ notes: ["v1: . has no type"], unlisted: [] });
});

it("an empty path of the label selector stays the same", async () => {
  const crd = crdOf({ type: "object" });
  const scale = { specReplicasPath: ".spec.a", statusReplicasPath: ".status.a", labelSelectorPath: "" };
  for (const version of crd.spec.versions) version.subresources = { scale };
  const { notes, differences } = await roundTrip(crd);
  expect({ notes, differences }).toEqual({ notes: [], differences: [] });
});

it("all paths of a shared schema are listed", async () => {
  const match: JSONSchema = {
    type: "object",
    properties: { exact: { type: "string" }, prefix: { type: "string" } },
    oneOf: [{ required: ["exact"] }, { required: ["prefix"] }],
  };
  const { notes, unlisted } = await roundTrip(
    specOf({
      uri: match,
      method: match,
      headers: { type: "object", additionalProperties: match },
      list: { type: "array", items: match },
      outer: { type: "object", properties: { inner: match } },
      other: { type: "object", properties: { inner: match } },
    }),
  );
  const paths = [".uri", ".method", ".headers.*", ".list[]", ".outer.inner", ".other.inner"];
  expect(notes).toEqual(paths.map((path) => `v1: .spec${path} has oneOf`));
  expect(unlisted).toEqual([]);
});

it("an enumeration keeps a repeated value", async () => {
  const { notes, differences } = await roundTrip(
    specOf({ a: { type: "string", enum: ["a", "b", "a"] }, b: { type: "integer", enum: [1, 2, 1] } }),
  );
  expect({ notes, differences }).toEqual({ notes: [], differences: [] });
});

it("a CRD without a served version is imported, and the difference is listed", async () => {
  const { notes, unlisted, diagnostics } = await roundTrip(crdOf({ type: "object" }, false));
  expect(notes).toEqual(["spec.versions has no served version; all versions become served"]);
  expect({ unlisted, diagnostics }).toEqual({ unlisted: [], diagnostics: [] });
});

describe("a kind whose name TypeScript can't use has a type with another name", () => {
  it.each([
    ["postgresql", "PostgresqlKind"],
    ["Object", "ObjectKind"],
    ["Function", "FunctionKind"],
    ["Promise", "PromiseKind"],
    ["Record", "RecordKind"],
    ["Context", "ContextKind"],
    ["List", "ListKind"],
    ["my-Kind", "MyKindKind"],
    ["class", "ClassKind"],
  ])("%s becomes %s", async (kind, type) => {
    const crd = specOf({ a: { type: "string" }, b: { type: "object", additionalProperties: { type: "string" } } });
    const plural = `${kind.toLowerCase()}s`;
    const { files, notes, differences, diagnostics } = await roundTrip({
      ...crd,
      metadata: { name: `${plural}.cases.example.com` },
      spec: { ...crd.spec, names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` } },
    });
    expect({ notes, differences, diagnostics }).toEqual({ notes: [], differences: [], diagnostics: [] });
    expect(files.get("v1")).toContain(`export const ${type} = GroupVersion.kind<${type}>("${kind}");`);
    expect(files.get("v1")).toContain(`export interface ${type} extends KubernetesObject {`);
  });
});

describe("a description", () => {
  it.each([
    ["headings", "Modes of it.\n\n## Modes\n\nOne and two."],
    ["fenced code", "Such as:\n\n```\nTODO: three\n---\n```\nAnd more."],
    ["whitespace at the ends of lines", "One  \nand two.\t\n"],
  ])("with %s stays the same", async (_, description) => {
    const { notes, differences } = await roundTrip(specOf({ a: { type: "string", description } }));
    expect({ notes, differences }).toEqual({ notes: [], differences: [] });
  });

  it.each([
    ["an empty line at the end", "One.\n"],
    ["an empty line at the beginning", "\nOne."],
    ["several empty lines", "One.\n\n\nTwo.\n"],
  ])("of controller-gen with %s stays the same", async (_, description) => {
    const crd = specOf({ a: { type: "string", description } });
    crd.metadata.annotations = { "controller-gen.kubebuilder.io/version": "v0.23.0" };
    const { notes, after } = await roundTrip(crd);
    const properties = { spec: { properties: { a: { description } } } };
    expect(notes).toEqual([]);
    expect(after).toMatchObject({ spec: { versions: [{ schema: { openAPIV3Schema: { properties } } }] } });
  });

  it.each([
    ["several empty lines", "One.\n\n\nTwo."],
    ["a line that begins with TODO", "One.\nTODO: three"],
    ["a line like a marker", "One.\n+optional"],
    ["a directive", "One.\ntslint:disable"],
  ])("with %s is listed", async (_, description) => {
    const { notes, unlisted } = await roundTrip(specOf({ a: { type: "string", description } }));
    expect(notes).toEqual(["v1: .spec.a has a description with lines that comments can't have"]);
    expect(unlisted).toEqual([]);
  });
});
