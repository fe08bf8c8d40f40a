// Special cases of the table of types: unions of objects, lists of fixed length, classes, names, depth.
import { describe, expect, it } from "vitest";
import { linesAbove, specOf } from "../test-support/project.ts";

const field = async (type: string, more = "", options = {}) => {
  const { value, run } = await specOf(`${more}\nexport interface Spec { value: ${type} }`, options);
  expect(run.diagnostics).toEqual([]);
  return value;
};
const int32 = { type: "integer", format: "int32" };
const string = { type: "string" };
const a = { kind: { enum: ["a"] } };
const b = { kind: { enum: ["b"] } };
const kind = { type: "string", enum: ["a", "b"] };

describe("unions of objects", () => {
  const named = `interface Base { name: string }
interface A extends Base { kind: "a"; x: Int32 }
interface B extends Base { kind: "b"; y?: string }
type AB = A | B;`;
  const ab = {
    type: "object",
    properties: { kind, name: string, x: int32, y: string },
    required: ["kind", "name"],
    oneOf: [
      { properties: a, required: ["kind", "name", "x"] },
      { properties: b, required: ["kind", "name"] },
    ],
  };
  it.each([
    ["of interfaces", "A | B", ab],
    ["as an alias", "AB", ab],
    ["or null", "AB | null", { ...ab, nullable: true }],
    ["in a list", "AB[]", { type: "array", items: ab }],
    ["in a map", "Record<string, AB>", { type: "object", additionalProperties: ab }],
    [
      "of a union and another object",
      'AB | { kind: "c" }',
      {
        ...ab,
        properties: { ...ab.properties, kind: { type: "string", enum: ["a", "b", "c"] } },
        required: ["kind"],
        oneOf: [...ab.oneOf, { properties: { kind: { enum: ["c"] } }, required: ["kind"] }],
      },
    ],
    [
      "with a numeric discriminator",
      "{ t: 1 } | { t: 2; z: string }",
      {
        type: "object",
        properties: { t: { type: "integer", enum: [1, 2] }, z: string },
        required: ["t"],
        oneOf: [
          { properties: { t: { enum: [1] } }, required: ["t"] },
          { properties: { t: { enum: [2] } }, required: ["t", "z"] },
        ],
      },
    ],
    [
      "with a Boolean discriminator",
      "{ on: true; v: Int32 } | { on: false }",
      {
        type: "object",
        properties: { on: { type: "boolean", enum: [true, false] }, v: int32 },
        required: ["on"],
        oneOf: [
          { properties: { on: { enum: [true] } }, required: ["on", "v"] },
          { properties: { on: { enum: [false] } }, required: ["on"] },
        ],
      },
    ],
    [
      "with common properties",
      "Base & ({ v4: string } | { v6: string })",
      {
        type: "object",
        properties: { name: string, v4: string, v6: string },
        required: ["name"],
        oneOf: [{ required: ["v4"] }, { required: ["v6"] }],
      },
    ],
    [
      "of an object and an extension of it",
      "{ v4: string } | { v4: string; v6: string }",
      { type: "object", properties: { v4: string, v6: string }, required: ["v4"] },
    ],
    ["with an empty object", "{} | { v4: string }", { type: "object", properties: { v4: string } }],
    [
      "of single objects and their combination",
      "{ v4: string } | { v6: string } | { v4: string; v6: string }",
      { type: "object", properties: { v4: string, v6: string }, anyOf: [{ required: ["v4"] }, { required: ["v6"] }] },
    ],
  ])("have a schema: %s", async (_, type, schema) => {
    expect(await field(type, named)).toEqual(schema);
  });

  it("are rejected if they declare a property with different types", async () => {
    const { run } = await specOf("export interface Spec {\n  value: { x: string } | { x: Int32 };\n}");
    expect(run.places).toEqual([`api/v1/thing.ts:${linesAbove + 1}:10 error unsupported-type`]);
  });
});

describe("lists of fixed length", () => {
  const list = { type: "array", items: int32 };
  it.each([
    ["[Int32, Int32]", { ...list, minItems: 2, maxItems: 2 }],
    ["readonly [Int32, Int32]", { ...list, minItems: 2, maxItems: 2 }],
    ["[x: Int32, y?: Int32]", { ...list, minItems: 1, maxItems: 2 }],
    ["[Int32?, Int32?]", { ...list, maxItems: 2 }],
    ["[Int32, ...Int32[]]", { ...list, minItems: 1 }],
    ["[...Int32[], Int32]", { ...list, minItems: 1 }],
    ["[first: Int32, ...rest: Int32[]]", { ...list, minItems: 1 }],
    ["[Int32, ...Pair]", { ...list, minItems: 3, maxItems: 3 }],
    ["[...Pair, ...Pair]", { ...list, minItems: 4, maxItems: 4 }],
  ])("include %s", async (type, schema) => {
    expect(await field(type, "type Pair = [Int32, Int32];")).toEqual(schema);
  });
});

describe("a property is optional", () => {
  it.each(["string | undefined", "Maybe<string>", "undefined | Maybe<string>", "Twice<Int32>", "Both"])(
    "with the type %s",
    async (type) => {
      const more =
        "type Maybe<T> = T | undefined;\ntype Twice<T> = Maybe<Maybe<T>>;\ntype Both = Maybe<string> | null;";
      const { spec } = await specOf(
        `${more}\nexport interface Spec { value: ${type}; other: Maybe2 }\ntype Maybe2 = string;`,
      );
      expect(spec.required).toEqual(["other"]);
    },
  );

  it("according to its marker before its type", async () => {
    const { spec } = await specOf(
      "export interface Spec {\n  // +required\n  value?: string;\n  // +optional\n  other: string;\n}",
    );
    expect(spec.required).toEqual(["value"]);
  });
});

describe("classes", () => {
  it("are read as their public properties", async () => {
    const more = `abstract class Abs { abstract name: string }
class Nested<T> extends Abs {
  name = "x";
  value!: T;
  readonly list: Int32[] = [];
  declare at?: Time;
  private a?: string;
  protected b?: string;
  #c?: string;
  static d: string;
  constructor() { super(); }
  get e(): string { return ""; }
  f(): void {}
}`;
    expect(await field("Nested<Int64>", more)).toEqual({
      type: "object",
      properties: {
        name: string,
        value: { type: "integer", format: "int64" },
        list: { type: "array", items: int32 },
        at: { type: "string", format: "date-time" },
      },
      required: ["list", "name", "value"],
    });
  });
});

describe("property names", () => {
  it("are kept unchanged", async () => {
    const { spec } = await specOf(
      `export interface Spec { "my-key": string; 'b.c': string; 1: string; $ref: string; constructor: string; toString?: string }`,
    );
    expect(Object.keys(spec.properties ?? {}).sort()).toEqual([
      "$ref",
      "1",
      "b.c",
      "constructor",
      "my-key",
      "toString",
    ]);
    expect(spec.required).toEqual(["$ref", "1", "b.c", "constructor", "my-key"]);
  });

  it("of Object.prototype are kept in Omit and mapped types", async () => {
    const more = "interface Source { constructor: string; toString: Int32; a: string }";
    expect(await field('Omit<Source, "a">', more)).toEqual(
      await field('{ [K in Exclude<keyof Source, "a">]: Source[K] }', more),
    );
  });
});

describe("nesting", () => {
  it("of two hundred objects is accepted", async () => {
    const deep = `${"{ a: ".repeat(200)}string${" }".repeat(200)}`;
    const { run } = await specOf(`export interface Spec { value: ${deep} }`);
    expect(run.diagnostics).toEqual([]);
  });

  it.each([1500, 20_000])("of %d levels is reported once", async (depth) => {
    const deep = `${"{ a: ".repeat(depth)}string${" }".repeat(depth)}`;
    const { run } = await specOf(`export interface Spec { value: ${deep} }`);
    expect(run.diagnostics.every(({ message }) => message.includes("nested too deeply"))).toBe(true);
    expect(run.diagnostics.length).toBe(1);
  });

  it("of a hundred aliases and interfaces is accepted", async () => {
    const names = Array.from(
      { length: 100 },
      (_, index) => `type A${index} = A${index + 1};\ninterface I${index} extends I${index + 1} {}`,
    );
    const more = `${names.join("\n")}\ntype A100 = Int32;\ninterface I100 { a: A0 }`;
    expect(await field("I0", more)).toEqual({ type: "object", properties: { a: int32 }, required: ["a"] });
  });
});

describe("unsupported types with a hint", () => {
  it.each([
    ["null", "T | null"],
    ["undefined", "`?`"],
    ["never", "remove the property"],
    ["void", "remove the property"],
    ["WeakMap<object, string>", "Record"],
    ["Uint8Array", "Bytes"],
    ["Promise<string>", "result"],
    ["{ (): void }", "functions can't be serialized"],
    ["{ new (): string }", "functions can't be serialized"],
    ["[]", "an array"],
    ["[string, Int32?]", "interface"],
    ['1 | "a"', "IntOrString"],
    ["Record<number, string>", "Record<string, T>"],
    ["{ [key: number]: string }", "Record<string, T>"],
    ["{ a: string; [key: string]: string }", "separate property"],
    ["string | { a: string }", "JSONValue"],
  ])("include %s", async (type, advice) => {
    const { run } = await specOf(`export interface Spec {\n  value: ${type};\n}`);
    expect(run.diagnostics).toHaveLength(1);
    expect(run.diagnostics[0]).toMatchObject({
      severity: "error",
      line: linesAbove + 1,
      hint: expect.stringContaining(advice),
    });
  });
});
