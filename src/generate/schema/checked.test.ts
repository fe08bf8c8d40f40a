// Types that only TypeScript's type checker resolves. Aliases of scalars keep their format and markers.

import { describe, expect, it } from "vitest";
import { linesAbove, runCrds, specOf } from "../test-support/project.ts";

const field = async (type: string, more = "", options = {}) => {
  const { value, run } = await specOf(`${more}\nexport interface Spec { value: ${type} }`, options);
  expect(run.diagnostics).toEqual([]);
  return value;
};
const int32 = { type: "integer", format: "int32" };
const string = { type: "string" };
const port = { ...int32, description: "A port.", maximum: 65535 };
const portAlias = "/** A port. */\n// +kubebuilder:validation:Maximum=65535\ntype Port = Int32;";
const object = (properties: object, required: string[]) => ({ type: "object", properties, required });

describe("conditional types", () => {
  const element = `${portAlias}\ntype Elem<T> = T extends Array<infer U> ? U : never;`;
  it.each([
    ["with a literal", '"x" extends string ? Int32 : string', "", int32],
    ["that infer a scalar alias", "Elem<Int32[]>", element, int32],
    ["that infer an alias with markers", "Elem<Port[]>", element, port],
    [
      "that infer an interface",
      "Elem<LocalObjectReference[]>",
      element,
      expect.objectContaining({ description: "A reference." }),
    ],
    [
      "that infer a generic type",
      "Elem<Box<Time>[]>",
      `${element}\ninterface Box<T> { x: T }`,
      object({ x: { type: "string", format: "date-time" } }, ["x"]),
    ],
    ["that infer literals, in sorted order", 'Elem<("b" | "a")[]>', element, { type: "string", enum: ["a", "b"] }],
    [
      "with an alias in each branch",
      "Pick2<false>",
      "type Pick2<B extends boolean> = B extends true ? Int64 : Duration;",
      string,
    ],
    ["that are distributive", "Strings<Int32 | string>", "type Strings<T> = T extends string ? T : never;", string],
    [
      "with a number that may be an alias",
      "number extends Int32 ? Int64 : string",
      "",
      { type: "integer", format: "int64" },
    ],
    ["with an alias that isn't an object", "Int32 extends object ? string : Int32", "", int32],
    [
      "with objects in the branches",
      "Cond<Port>",
      `${portAlias}\ntype Cond<T> = T extends string ? { a: T } : { b: T };`,
      object({ b: port }, ["b"]),
    ],
    [
      "with null in a branch",
      "Maybe<Int32>",
      "type Maybe<T> = T extends string ? T : T | null;",
      { ...int32, nullable: true },
    ],
    ["as arguments", "Box<Elem<Port[]>>", `${element}\ninterface Box<T> { x: T }`, object({ x: port }, ["x"])],
    ["in an array", "Elem<Port[]>[]", element, { type: "array", items: port }],
    ["in a map", "Record<string, Elem<Port[]>>", element, { type: "object", additionalProperties: port }],
  ])("are resolved: %s", async (_, type, more, schema) => {
    expect(await field(type, more)).toEqual(schema);
  });

  it("keep the comments of their properties", async () => {
    const more = `type Cond<T> = T extends string
  ? {
      /**
       * A text.
       * +kubebuilder:validation:MinLength=2
       */
      s: string;
      /** A number. */
      n: Int32;
      /** Of any type. */
      // +kubebuilder:validation:MinLength=1
      t: T;
    }
  : never;`;
    expect(await field("Cond<string>", more)).toEqual(
      object(
        {
          s: { ...string, description: "A text.", minLength: 2 },
          n: { ...int32, description: "A number." },
          t: { ...string, description: "Of any type.", minLength: 1 },
        },
        ["n", "s", "t"],
      ),
    );
  });
});

describe("names in the scope of their declaration", () => {
  it.each([
    [
      "in a namespace",
      "export namespace N { interface Own { a: Int32 } export type Q<T> = T extends string ? { own: Own; t: T } : never }",
      "N.Q<string>",
      object({ own: object({ a: int32 }, ["a"]), t: string }, ["own", "t"]),
    ],
    [
      "in a namespace of a namespace",
      "namespace N { interface Own { a: Int32 } export namespace M { export type Q = string extends string ? Own : never } }",
      "N.M.Q",
      object({ a: int32 }, ["a"]),
    ],
  ])("are resolved: %s", async (_, more, type, schema) => {
    expect(await field(type, more)).toEqual(schema);
  });

  it("in another file, exported or not", async () => {
    const { crds, diagnostics } = await runCrds({
      "api/v1/thing.ts": `// +groupName=example.com
import type { KubernetesObject } from "@kubewright/runtime/api";
import type { Cond, Keys, Renamed } from "../../lib/other.ts";
interface Own { size: string }
export interface Thing extends KubernetesObject { cond: Cond<Own>; keys: Keys; renamed: Renamed<Own> }
`,
      "lib/other.ts": `import type { Int32 } from "@kubewright/runtime/api";
import type { Container } from "@kubewright/runtime/api/core/v1";
const hidden = { b: 1, a: 2 } as const;
interface Hidden { count: Int32 }
export type Keys = Exclude<keyof typeof hidden, "b">;
export type Cond<T> = T extends object ? { t: T; hidden: Hidden; image: Container["image"] } : never;
export type Renamed<T> = { [K in keyof T as \`x\${string & K}\`]: Hidden };
`,
    });
    expect(diagnostics).toEqual([]);
    const hidden = object({ count: int32 }, ["count"]);
    expect(crds[0]?.spec.versions[0]?.schema.openAPIV3Schema.properties).toMatchObject({
      cond: object({ t: object({ size: string }, ["size"]), hidden, image: string }, ["hidden", "t"]),
      keys: { type: "string", enum: ["a"] },
      renamed: object({ xsize: hidden }, ["xsize"]),
    });
  });
});

describe("mapped types", () => {
  const source = `interface Source {
  /** Of the source. */
  // +kubebuilder:validation:MinLength=1
  text: string;
  count: Int32;
  at?: Time;
}`;
  const text = { ...string, description: "Of the source.", minLength: 1 };
  const time = { type: "string", format: "date-time" };
  it.each([
    [
      "keep the comments and markers of a property",
      "{ [K in keyof Source]: Source[K] }",
      object({ text, count: int32, at: time }, ["count", "text"]),
    ],
    ["by a generic type", "Copy<Source>", object({ text, count: int32, at: time }, ["count", "text"])],
    [
      "with renamed properties",
      "Renamed<Source>",
      { type: "object", properties: { onText: string, onCount: int32, onAt: time } },
    ],
    ["with selected properties", "Texts<Source>", object({ text }, ["text"])],
    [
      "keep only descriptions if they change the type",
      "{ [K in keyof Source]: Int64 }",
      object(
        {
          text: { type: "integer", format: "int64", description: "Of the source." },
          count: { type: "integer", format: "int64" },
          at: { type: "integer", format: "int64" },
        },
        ["count", "text"],
      ),
    ],
    [
      "keep the rest if they add null",
      "Nullable<Source>",
      object(
        { text: { ...text, nullable: true }, count: { ...int32, nullable: true }, at: { ...time, nullable: true } },
        ["count", "text"],
      ),
    ],
    [
      "with -? make properties required",
      "{ [K in keyof Source]-?: Source[K] }",
      object({ text, count: int32, at: time }, ["at", "count", "text"]),
    ],
    [
      "over template literals",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template literal type.
      '{ [K in `${"a" | "b"}-x`]: Int32 }',
      object({ "a-x": int32, "b-x": int32 }, ["a-x", "b-x"]),
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template literal type.
    ["over patterns", "{ [K in `k-${string}`]: Int32 }", { type: "object", additionalProperties: int32 }],
    ["of a list", "Copy<Int32[]>", { type: "array", items: int32 }],
    ["of a scalar", "Copy<Int32>", int32],
  ])("are resolved: %s", async (_, type, schema) => {
    const more = `${source}
type Copy<T> = { [K in keyof T]: T[K] };
type Nullable<T> = { [K in keyof T]: T[K] | null };
type Renamed<T> = { [K in keyof T as \`on\${Capitalize<string & K>}\`]?: T[K] };
type Texts<T> = { [K in keyof T as T[K] extends string ? (K extends "at" ? never : K) : never]: T[K] };`;
    expect(await field(type, more)).toEqual(schema);
  });

  it("are resolved recursively", async () => {
    const more = `${source}\n${portAlias}
type DeepPartial<T> = { [K in keyof T]?: T[K] extends object ? DeepPartial<T[K]> : T[K] };
interface Outer {
  /** The inner one. */
  inner: Source;
  list: Port[];
  quantity: Quantity;
  raw: RawExtension;
  json: JSONValue;
  sources: Source[];
}`;
    const inner = { type: "object", properties: { text, count: int32, at: time } };
    const schema = await field("DeepPartial<Outer>", more);
    expect(schema.required).toBeUndefined();
    expect(schema.properties).toMatchObject({
      inner: { ...inner, description: "The inner one." },
      list: { type: "array", items: port },
      quantity: { "x-kubernetes-int-or-string": true },
      raw: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      json: { "x-kubernetes-preserve-unknown-fields": true },
      sources: { type: "array", items: inner },
    });
    expect(schema.properties?.inner?.required).toBeUndefined();
  });
});

describe("keys and values", () => {
  const source = "interface Source { bb: string; aa: Int32; tt?: Time }";
  it.each([
    [
      "keyof a mapped type, in sorted order",
      "keyof { [K in keyof Source as Source[K] extends number ? never : K]: 1 }",
      { type: "string", enum: ["bb", "tt"] },
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template literal type.
    ["Exclude with a pattern", "Exclude<keyof Source, `a${string}`>", { type: "string", enum: ["bb", "tt"] }],
    ["an indexed type with computed keys", 'Source[Exclude<keyof Source, "aa" | "tt">]', string],
    ["an intersection of literal unions", '("a" | "b") & ("b" | "c")', { type: "string", enum: ["b"] }],
    ["Uppercase of keyof", "Uppercase<keyof Source>", { type: "string", enum: ["BB", "AA", "TT"] }],
    ["a computed constant", "(typeof all)[number]", { type: "string", enum: ["b", "a", "c"] }],
    ["keyof typeof an object", "keyof typeof map", { type: "string", enum: ["y", "x"] }],
    ["numbers", "Exclude<3 | 1 | 2, 2>", { type: "integer", enum: [3, 1] }],
  ])("include %s", async (_, type, schema) => {
    const more = `${source}\nconst some = ["b", "a"] as const;\nconst all = [...some, "c"] as const;\nconst map = { y: 1, x: 2 } as const;`;
    expect(await field(type, more)).toEqual(schema);
  });
});

describe("TypeScript's utility types", () => {
  const make = `declare function make(a: Int32, b?: string): { replicas: Int32; at?: Time };
const infer = (n: Int32) => ({ replicas: n, name: "x", inner: { on: true } });
class Config { port: Int32 = 1; name!: string; #hidden = 1; private own = 1; static other = 1; run() {} }`;
  it.each([
    [
      "ReturnType",
      "ReturnType<typeof make>",
      object({ replicas: int32, at: { type: "string", format: "date-time" } }, ["replicas"]),
    ],
    [
      "ReturnType of an inferred type",
      "ReturnType<typeof infer>",
      object({ replicas: int32, name: string, inner: object({ on: { type: "boolean" } }, ["on"]) }, [
        "inner",
        "name",
        "replicas",
      ]),
    ],
    ["Parameters", "Parameters<typeof make>[0]", int32],
    ["Awaited", "Awaited<Promise<Int64>>", { type: "integer", format: "int64" }],
    ["InstanceType", "InstanceType<typeof Config>", object({ port: int32, name: string }, ["name", "port"])],
    [
      "Extract of objects",
      'Extract<AB, { kind: "a" }>',
      object({ kind: { type: "string", enum: ["a"] }, x: int32 }, ["kind", "x"]),
    ],
    [
      "Exclude of objects",
      'Exclude<AB, { kind: "a" }>',
      object({ kind: { type: "string", enum: ["b"] }, y: string }, ["kind", "y"]),
    ],
    ["Omit of a union keeps the common properties", 'Omit<AB, "kind">', { type: "object" }],
    ["Pick of a union", 'Pick<AB, "kind">', object({ kind: { type: "string", enum: ["a", "b"] } }, ["kind"])],
    [
      "Partial of a union is a union",
      "Partial<AB>",
      expect.objectContaining({ properties: { kind: { type: "string", enum: ["a", "b"] }, x: int32, y: string } }),
    ],
    ["Partial of a list", "Partial<Int32[]>", { type: "array", items: int32 }],
    ["NonNullable", "NonNullable<Int32 | null>", int32],
  ])("are resolved: %s", async (_, type, schema) => {
    const more = `${make}\ntype AB = { kind: "a"; x: Int32 } | { kind: "b"; y: string };`;
    expect(await field(type, more)).toEqual(schema);
  });
});

describe("core types in computed types", () => {
  const imports = 'import type { Container, PodSpec } from "@kubewright/runtime/api/core/v1";\n';
  it.each([
    ["an indexed type", 'PodSpec["containers"][number]["image"]', string],
    [
      "selected properties keep their schemas",
      '{ [K in keyof Container as K extends "args" | "tty" ? K : never]: Container[K] }',
      {
        type: "object",
        properties: {
          args: { type: "array", items: string, "x-kubernetes-list-type": "atomic" },
          tty: { type: "boolean" },
        },
      },
    ],
    ["a condition", "Container extends { name: string } ? Int32 : string", int32],
  ])("are resolved: %s", async (_, type, schema) => {
    expect(await field(type, imports, { core: "real" })).toEqual(schema);
  });
});

describe("types without an end or a schema", () => {
  it("are cut off with a warning if an anonymous type contains itself", async () => {
    const text = `interface Tree { v: Int32; kids?: Tree[] }
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
export interface Spec {
  value: Frozen<Tree>;
}`;
    const { value, run } = await specOf(text);
    expect(value.properties?.kids?.items?.properties?.kids).toEqual({});
    expect(run.places).toEqual([`api/v1/thing.ts:${linesAbove + 1}:18 warning recursive-type`]);
  });

  it.each([
    ["an unknown name", "string extends string ? Nope : never", "it refers to an unknown type"],
    ["an infinitely growing type", "Grow<string>", "infinitely recursive"],
    ["a function", "ReturnType<() => () => void>", "the type function has no schema"],
    ["any", "ReturnType<() => any>", "the type any has no schema"],
  ])("cause an error: %s", async (_, type, message) => {
    const more = "type Grow<T> = T extends number ? never : { next: Grow<T[]> };";
    const { run } = await specOf(`${more}\nexport interface Spec {\n  value: ${type};\n}`);
    expect(run.diagnostics.map(({ message }) => message).join()).toContain(message);
    expect(run.diagnostics.every(({ severity }) => severity === "error")).toBe(true);
  });
});
