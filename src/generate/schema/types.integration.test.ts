// Each row of the table of types, and the types that are rejected.
import { describe, expect, it } from "vitest";
import { linesAbove, specOf } from "../test-support/project.ts";

const field = async (type: string, more = "", options = {}) => {
  const { value, run } = await specOf(`${more}\nexport interface Spec { value: ${type} }`, options);
  expect(run.diagnostics.filter((diagnostic) => diagnostic.severity === "error")).toEqual([]);
  return value;
};
const intOrString = { anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true };

describe("scalars", () => {
  it.each([
    ["string", { type: "string" }],
    ["boolean", { type: "boolean" }],
    ["number", { type: "integer" }],
    ["Int32", { type: "integer", format: "int32" }],
    ["Int64", { type: "integer", format: "int64" }],
    ["Bytes", { type: "string", format: "byte" }],
    ["Time", { type: "string", format: "date-time" }],
    ["MicroTime", { type: "string", format: "date-time" }],
    ["Duration", { type: "string" }],
    ["IntOrString", intOrString],
    ["Quantity", { ...intOrString, pattern: expect.stringContaining("numkMGTPE") }],
    ["RawExtension", { type: "object", "x-kubernetes-preserve-unknown-fields": true }],
    ["JSONValue", { "x-kubernetes-preserve-unknown-fields": true }],
    ["ObjectMeta", { type: "object" }],
  ])("include %s", async (type, schema) => {
    expect(await field(type)).toEqual(schema);
  });

  it("have five metadata properties with generateEmbeddedObjectMeta", async () => {
    const schema = await field("ObjectMeta", "", { generateEmbeddedObjectMeta: true });
    expect(Object.keys(schema.properties ?? {}).sort()).toEqual([
      "annotations",
      "finalizers",
      "labels",
      "name",
      "namespace",
    ]);
  });

  it("include floats only with allowDangerousTypes", async () => {
    expect(await field("Float64", "", { allowDangerousTypes: true })).toEqual({ type: "number" });
    const { run } = await specOf("export interface Spec {\n  value: Float64;\n}");
    expect(run.places).toEqual([`api/v1/thing.ts:${linesAbove + 1}:10 error float-type`]);
  });
});

describe("containers", () => {
  const list = { type: "array", items: { type: "string" } };
  const map = { type: "object", additionalProperties: { type: "string" } };
  it.each([
    ["string[]", list],
    ["readonly string[]", list],
    ["Array<string>", list],
    ["ReadonlyArray<string>", list],
    ["[string, string]", { ...list, minItems: 2, maxItems: 2 }],
    ["Record<string, string>", map],
    ["{ [key: string]: string }", map],
    ["Record<string, string[]>", { type: "object", additionalProperties: list }],
    [
      "{ a: string; b?: Int32 }",
      {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "integer", format: "int32" } },
        required: ["a"],
      },
    ],
    ["{}", { type: "object" }],
  ])("include %s", async (type, schema) => {
    expect(await field(type)).toEqual(schema);
  });

  it("accept an alias of string as a key", async () => {
    expect(
      await field("Record<Key, string>", "// +kubebuilder:validation:MinLength=1\nexport type Key = string;"),
    ).toEqual(map);
    // Markers of keys are ignored, also invalid ones.
    expect(await field("Record<Key, string>", "// +kubebuilder:validation:MinItems=1\ntype Key = string;")).toEqual(
      map,
    );
  });

  it("include classes, as interfaces of their properties", async () => {
    const more = "export class Box { readonly a!: string; static b: string; c(): void {} }";
    expect(await field("Box", more)).toEqual({
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
    });
  });
});

describe("enums", () => {
  const abc = { type: "string", enum: ["b", "a"] };
  it.each([
    ["a union of strings", '"b" | "a"', "", abc],
    ["an alias", "E", 'export type E = "b" | "a";', abc],
    ["a union of aliases", "X | Y", 'type X = "b"; type Y = "a" | "b";', abc],
    ["a TypeScript enum", "E", 'export enum E { B = "b", A = "a" }', abc],
    ["keyof", "keyof T", "interface T { b: string; a: string }", abc],
    ["an indexed type", 'T["x"]', 'interface T { x: "b" | "a" }', abc],
    ["a constant list", "(typeof list)[number]", 'const list = ["b", "a"] as const;', abc],
    ["the values of a constant", "(typeof all)[keyof typeof all]", 'const all = { B: "b", A: "a" } as const;', abc],
    ["Exclude", 'Exclude<"b" | "a" | "c", "c">', "", abc],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template literal type.
    ["a template", "`${P}`", 'type P = "b" | "a";', abc],
    ["numbers", "1 | 2", "", { type: "integer", enum: [1, 2] }],
    ["null among values", '"b" | "a" | null', "", { ...abc, nullable: true }],
    ["both booleans", "true | false", "", { type: "boolean" }],
  ])("include %s", async (_, type, more, schema) => {
    expect(await field(type, more)).toEqual(schema);
  });
});

describe("nullable and unions", () => {
  it("T | null is nullable", async () => {
    expect(await field("Int32 | null")).toEqual({ type: "integer", format: "int32", nullable: true });
  });

  it("a nullable reference keeps its type", async () => {
    expect(await field("T | null", "interface T { a: string }")).toEqual({
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      nullable: true,
    });
  });

  it("T | undefined is optional", async () => {
    const { spec } = await specOf("export interface Spec { value: string | undefined; b: string }");
    expect(spec.required).toEqual(["b"]);
  });

  it("objects are distinguished by the value of a discriminator", async () => {
    const more = 'interface A { kind: "a"; x: string }\ninterface B { kind: "b"; y?: Int32 }';
    expect(await field("A | B", more)).toEqual({
      type: "object",
      properties: {
        kind: { type: "string", enum: ["a", "b"] },
        x: { type: "string" },
        y: { type: "integer", format: "int32" },
      },
      required: ["kind"],
      oneOf: [
        { properties: { kind: { enum: ["a"] } }, required: ["kind", "x"] },
        { properties: { kind: { enum: ["b"] } }, required: ["kind"] },
      ],
    });
  });

  it("other objects are distinguished by their required properties", async () => {
    expect(await field("{ a: string } | { b: string }")).toMatchObject({
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
    });
  });
});

describe("compositions", () => {
  const ab = { type: "object", properties: { a: { type: "string" }, b: { type: "integer", format: "int32" } } };
  const base = "interface AB { a: string; b: Int32 }";
  it.each([
    [
      "extends",
      "C",
      `${base}\ninterface C extends AB { c?: string }`,
      { ...ab, properties: { ...ab.properties, c: { type: "string" } }, required: ["a", "b"] },
    ],
    [
      "an intersection",
      "AB & { c?: string }",
      base,
      { ...ab, properties: { ...ab.properties, c: { type: "string" } }, required: ["a", "b"] },
    ],
    [
      "a property declared again",
      "C",
      `${base}\ninterface C extends AB { b: 1 | 2 }`,
      {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "integer", enum: [1, 2] } },
        required: ["a", "b"],
      },
    ],
    ["Omit", 'Omit<AB, "a">', base, { type: "object", properties: { b: ab.properties.b }, required: ["b"] }],
    ["Pick", 'Pick<AB, "b">', base, { type: "object", properties: { b: ab.properties.b }, required: ["b"] }],
    ["Partial", "Partial<AB>", base, ab],
    ["Required", "Required<Partial<AB>>", base, { ...ab, required: ["a", "b"] }],
    ["Readonly", "Readonly<AB>", base, { ...ab, required: ["a", "b"] }],
    [
      "a generic type",
      "Box<Int32>",
      "interface Box<T> { x: T; y?: T[] }",
      {
        type: "object",
        properties: { x: ab.properties.b, y: { type: "array", items: ab.properties.b } },
        required: ["x"],
      },
    ],
    [
      "a default of a type parameter",
      "Box",
      "interface Box<T = string> { x: T }",
      { type: "object", properties: { x: { type: "string" } }, required: ["x"] },
    ],
    ["a mapped type", "{ [K in keyof AB]?: AB[K] }", base, ab],
    [
      "a mapped type over values",
      '{ [K in "x" | "y"]: Int32 }',
      "",
      { type: "object", properties: { x: ab.properties.b, y: ab.properties.b }, required: ["x", "y"] },
    ],
    [
      "Omit of a core type",
      'Omit<LocalObjectReference, "name">',
      "",
      { type: "object", properties: { note: { type: "string" } } },
    ],
    ["an indexed core type", 'LocalObjectReference["name"]', "", { type: "string", default: "" }],
    [
      "a core type",
      "LocalObjectReference",
      "",
      {
        description: "A reference.",
        type: "object",
        properties: { name: { type: "string", default: "" }, note: { type: "string" } },
        required: ["name"],
      },
    ],
  ])("include %s", async (_, type, more, schema) => {
    expect(await field(type, more)).toEqual(schema);
  });

  it("resolves each use of a generic type on its own", async () => {
    const { spec } = await specOf("interface Box<T> { x: T }\nexport interface Spec { a: Box<Int32>; b: Box<string> }");
    expect(spec.properties?.a?.properties?.x).toEqual({ type: "integer", format: "int32" });
    expect(spec.properties?.b?.properties?.x).toEqual({ type: "string" });
  });

  it("cuts off a type that contains itself, with a warning", async () => {
    const { value, run } = await specOf(
      "export interface Tree { leaf?: string; next?: Tree }\nexport interface Spec { value: Tree }",
    );
    expect(value.properties?.next).toEqual({});
    expect(run.places).toEqual([`api/v1/thing.ts:${linesAbove}:1 warning recursive-type`]);
  });
});

describe("recursive types", () => {
  it.each([
    ["a union with itself", 'type T = "a" | T;'],
    ["an alias of itself", "type T = T;"],
    ["two aliases of each other", "type T = U; type U = T;"],
    ["a list of itself", "type T = T[];"],
    ["an interface that extends itself", "interface T extends T { a: string }"],
    ["two interfaces that extend each other", "interface T extends U {} interface U extends T {}"],
    ["a map of itself", "type T = Record<string, T>;"],
    ["an infinitely growing generic type", "interface G<X> { next?: G<X[]> } type T = G<string>;"],
    ["an Omit of itself", 'interface T { a: string; b?: Omit<T, "b"> }'],
    ["JSON", "type T = string | number | T[] | { [key: string]: T };"],
  ])("end with one CRD: %s", async (_, text) => {
    const { run } = await specOf(`${text}\nexport interface Spec { value: T }`);
    expect(run.crds).toHaveLength(1);
  });

  it("include keyof the enclosing type", async () => {
    expect((await field("T", "interface T { a: keyof T; b: string }")).properties?.a).toEqual({
      type: "string",
      enum: ["a", "b"],
    });
  });
});

describe("rejected types", () => {
  it.each([
    ["any", "JSONValue"],
    ["unknown", "JSONValue"],
    ["object", "RawExtension"],
    ["Date", "Time"],
    ["Map<string, string>", "Record"],
    ["Set<string>", "listType=set"],
    ["bigint", "Int64"],
    ["symbol", "string"],
    ["() => void", "functions can't be serialized"],
    ["[string, Int32]", "interface"],
    ["string | Int32", "IntOrString"],
    ["string extends infer T ? Missing<T> : never", "resulting type"],
    ["Record<Int32, string>", "Record<string, T>"],
  ])("include %s", async (type, advice) => {
    const { run } = await specOf(`export interface Spec {\n  value: ${type};\n}`);
    const errors = run.diagnostics.filter((diagnostic) => diagnostic.severity === "error");
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      id: "unsupported-type",
      line: linesAbove + 1,
      hint: expect.stringContaining(advice),
    });
  });

  it("an unknown name", async () => {
    const { run } = await specOf("export interface Spec {\n  value: Nope;\n}");
    expect(run.places).toEqual([`api/v1/thing.ts:${linesAbove + 1}:10 error unknown-type`]);
  });

  it("a type of an unknown module", async () => {
    const { run } = await specOf('import type { X } from "x";\nexport interface Spec { value: X }');
    expect(run.diagnostics.map((diagnostic) => diagnostic.id)).toEqual(["unsupported-module"]);
  });

  it("are accepted with Schemaless", async () => {
    const text =
      "export interface Spec {\n  // +kubebuilder:validation:Schemaless\n  // +kubebuilder:validation:Type=object\n  value: any;\n}";
    const { value, run } = await specOf(text);
    expect(run.diagnostics).toEqual([]);
    expect(value).toEqual({ type: "object" });
  });
});
