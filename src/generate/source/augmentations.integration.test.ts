// Declarations that TypeScript merges from several files, and properties that constructors declare.
import { describe, expect, it } from "vitest";
import { runCrds } from "../test-support/project.ts";

const head = `// +groupName=example.com
import type { Int32, KubernetesObject } from "@kubewright/runtime/api";
`;
const kind = "\nexport interface Thing extends KubernetesObject { spec: Spec }\n";

async function specOf(files: Readonly<Record<string, string>>) {
  const { crds, diagnostics } = await runCrds(files);
  expect(diagnostics).toEqual([]);
  return crds[0]?.spec.versions[0]?.schema.openAPIV3Schema.properties?.spec;
}
const string = { type: "string" };
const int32 = { type: "integer", format: "int32" };

describe("declare module", () => {
  it("adds properties and markers to an interface of another file", async () => {
    const spec = await specOf({
      "api/v1/thing.ts": `${head}export interface Spec { a: string }${kind}`,
      "api/v1/zz.ts": `import type { Int32 } from "@kubewright/runtime/api";
declare module "./thing.ts" {
  // +kubebuilder:validation:MinProperties=2
  interface Spec {
    /** Added. */
    // +kubebuilder:validation:Minimum=1
    b?: Int32;
  }
}
`,
    });
    expect(spec).toEqual({
      type: "object",
      minProperties: 2,
      properties: { a: string, b: { ...int32, description: "Added.", minimum: 1 } },
      required: ["a"],
    });
  });

  it("adds types, which can refer to those of the module and of their own file", async () => {
    const spec = await specOf({
      "api/v1/thing.ts": `${head}export interface Part { p: string }\nexport interface Spec { a: string }${kind}`,
      "api/v1/zz.ts": `export interface Own { o: string }
declare module "./thing.ts" {
  interface Spec { added: Added }
  interface Added { part: Part; own: Own; twice?: Added["part"] }
}
`,
    });
    expect(spec?.properties?.added).toMatchObject({
      properties: {
        part: { properties: { p: string } },
        own: { properties: { o: string } },
        twice: { properties: { p: string } },
      },
      required: ["own", "part"],
    });
  });

  it("applies to types of imported packages, and to types that the type checker resolves", async () => {
    const spec = await specOf({
      "api/v1/thing.ts": `${head}import type { Part } from "../shared/part.ts";
type Copy<T> = { [K in keyof T as K extends "x" ? never : K]: T[K] };
export interface Spec { part: Part; copy: Copy<Part>; partial: Partial<Part> }${kind}`,
      "api/shared/part.ts": "export interface Part { p: string }",
      "api/zz/more.ts": `import "../shared/part.ts";
declare module "../shared/part.ts" { interface Part { more: string } }`,
    });
    const part = { type: "object", properties: { p: string, more: string }, required: ["more", "p"] };
    expect(spec?.properties).toEqual({
      part,
      copy: part,
      partial: { type: "object", properties: { p: string, more: string } },
    });
  });

  it("adds to a type of an npm package", async () => {
    const spec = await specOf({
      "api/v1/thing.ts": `${head}import type { Shared } from "lib";
declare module "lib" { interface Shared { more?: Int32 } }
export interface Spec { shared: Shared }${kind}`,
      "node_modules/lib/index.d.ts": "export interface Shared { a: string }",
      "node_modules/lib/package.json": '{ "name": "lib", "types": "index.d.ts" }',
    });
    expect(spec?.properties?.shared).toEqual({
      type: "object",
      properties: { a: string, more: int32 },
      required: ["a"],
    });
  });
});

describe("declare global", () => {
  it("adds types that all files can use", async () => {
    const spec = await specOf({
      "api/v1/thing.ts": `${head}export interface Spec { a: Everywhere; b: Everywhere["a"] }${kind}`,
      "api/v1/zz.ts": `import type { Int32 } from "@kubewright/runtime/api";
declare global {
  /** Known everywhere. */
  interface Everywhere {
    // +kubebuilder:validation:Minimum=1
    a: Int32;
  }
}
export {};
`,
    });
    expect(spec?.properties).toEqual({
      a: {
        type: "object",
        description: "Known everywhere.",
        properties: { a: { ...int32, minimum: 1 } },
        required: ["a"],
      },
      b: int32,
    });
  });

  it("merges the declarations of several files into one type", async () => {
    const part = (name: string) => `export {};\ndeclare global { interface Everywhere { ${name}: string } }\n`;
    const spec = await specOf({
      "api/v1/thing.ts": `${head}export interface Spec { a: Everywhere }${kind}`,
      "api/v1/yy.ts": part("y"),
      "api/v1/zz.ts": part("z"),
    });
    expect(spec?.properties?.a).toEqual({ type: "object", properties: { y: string, z: string }, required: ["y", "z"] });
  });
});

describe("parameter properties of a constructor", () => {
  it("are properties of the class with their comments, unless they are private or plain parameters", async () => {
    const config = `export class Config {
  first!: string;
  constructor(
    /** A port. */
    // +kubebuilder:validation:Minimum=1
    public port: Int32,
    /** A name. */ readonly name?: string,
    public level: "a" | "b" = "a",
    private hidden: string = "",
    protected inner: string = "",
    plain: string = "",
  ) {}
}`;
    const spec = await specOf({
      "api/v1/thing.ts": `${head}${config}
type Copy<T> = { [K in keyof T as K extends "first" ? never : K]: T[K] };
export interface Spec { config: Config; copy: Copy<Config> }${kind}`,
    });
    const properties = {
      port: { ...int32, description: "A port.", minimum: 1 },
      name: { ...string, description: "A name." },
      level: { type: "string", enum: ["a", "b"] },
    };
    expect(spec?.properties).toEqual({
      config: { type: "object", properties: { first: string, ...properties }, required: ["first", "level", "port"] },
      copy: { type: "object", properties, required: ["level", "port"] },
    });
  });
});
