// Imports of types, in every form that TypeScript supports.

import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import { runCrds } from "../test-support/project.ts";
import { disk, type Files } from "./files.ts";
import { createLocate } from "./locate.ts";

const head = `// +groupName=example.com
import type { Int32, KubernetesObject } from "@kubewright/runtime/api";
`;
const kind = "\nexport interface Thing extends KubernetesObject { spec: Spec }\n";

/** Returns the schema of `value: <type>` in a project with more files. */
async function schemaOf(type: string, imports: string, more: Readonly<Record<string, string>>) {
  const text = `${head}${imports}\nexport interface Spec { value: ${type} }${kind}`;
  const { crds, diagnostics } = await runCrds({ "api/v1/thing.ts": text, ...more });
  expect(diagnostics).toEqual([]);
  return crds[0]?.spec.versions[0]?.schema.openAPIV3Schema.properties?.spec?.properties?.value;
}

const spec = "/** Shared. */\nexport interface Shared { a: string }\n";
const shared = { type: "object", description: "Shared.", properties: { a: { type: "string" } }, required: ["a"] };

describe("an import resolves a specifier", () => {
  it.each([
    ["with .ts", "./shared.ts", "api/v1/shared.ts"],
    ["with .js for .ts", "./shared.js", "api/v1/shared.ts"],
    ["with .mjs for .mts", "./shared.mjs", "api/v1/shared.mts"],
    ["with .cjs for .cts", "./shared.cjs", "api/v1/shared.cts"],
    ["with .mts", "./shared.mts", "api/v1/shared.mts"],
    ["with .d.ts", "./shared.d.ts", "api/v1/shared.d.ts"],
    ["without an extension", "./shared", "api/v1/shared.ts"],
    ["without an extension, of declarations", "./shared", "api/v1/shared.d.ts"],
    ["of a directory", "../shared", "api/shared/index.ts"],
    ["of the file's own directory", ".", "api/v1/index.ts"],
    ["of the parent directory", "..", "api/index.ts"],
    ["with a dot in the name", "./shared.types", "api/v1/shared.types.ts"],
    ["outside the packages", "../../lib/shared.ts", "lib/shared.ts"],
  ])("%s", async (_, specifier, path) => {
    const schema = await schemaOf("Shared", `import type { Shared } from "${specifier}";`, { [path]: spec });
    expect(schema).toEqual(shared);
  });
});

describe("imports in package.json", () => {
  const manifest = (imports: object) => ({ "package.json": JSON.stringify({ type: "module", imports }) });
  const text = 'import type { Shared } from "#lib/shared.ts";';
  it.each([
    ["a pattern", { "#lib/*": "./lib/*" }, "lib/shared.ts"],
    ["an exact name before a pattern", { "#lib/shared.ts": "./lib/own.ts", "#lib/*": "./other/*" }, "lib/own.ts"],
    ["the longest prefix first", { "#*": "./other/*", "#lib/*": "./lib/*" }, "lib/shared.ts"],
    ["a pattern with an extension", { "#lib/*.ts": "./lib/deep/*.ts" }, "lib/deep/shared.ts"],
    ["conditions", { "#lib/*": { default: "./lib/*" } }, "lib/shared.ts"],
  ])("resolve %s", async (_, imports, path) => {
    expect(await schemaOf("Shared", text, { ...manifest(imports), [path]: spec })).toEqual(shared);
  });

  it("don't load the compiler", async () => {
    const files: Files = {
      ...disk,
      isFile: (path) => path !== resolve("/api/v1/package.json") && path !== resolve("/api/package.json"),
      read: () => '{"imports":{"#lib/*":"./lib/*"}}',
    };
    const locate = createLocate(files, () => expect.fail("the compiler was loaded"));
    expect(locate("/api/v1/thing.ts", "#lib/shared.ts")).toBe(resolve("/lib/shared.ts"));
  });
});

describe("the form of an import can be", () => {
  const files = {
    "api/v1/shared.ts": `${spec}export default interface Main { b: Int32 }\nimport type { Int32 } from "@kubewright/runtime/api";\nexport type Text = string;`,
  };
  const main = { type: "object", properties: { b: { type: "integer", format: "int32" } }, required: ["b"] };
  it.each([
    ["import { A }", "Shared", 'import { Shared } from "./shared.ts";', shared],
    ["import { type A as B }", "S", 'import { type Shared as S } from "./shared.ts";', shared],
    ["import A, the default", "M", 'import type M from "./shared.ts";', main],
    ["import { default as A }", "M", 'import { default as M } from "./shared.ts";', main],
    ["import * as a", "s.Shared", 'import type * as s from "./shared.ts";', shared],
    ["import A = require(…)", "s.Shared", 'import type s = require("./shared.ts");', shared],
    ["import(…).A", 'import("./shared.ts").Shared', "", shared],
    [
      "an alias of a member of a namespace",
      "S",
      'import type * as s from "./shared.ts";\nimport S = s.Shared;',
      shared,
    ],
    [
      "an import of an alias of a scalar",
      "Text[]",
      'import type { Text } from "./shared.ts";',
      { type: "array", items: { type: "string" } },
    ],
  ])("%s", async (_, type, imports, schema) => {
    expect(await schemaOf(type, imports, files)).toEqual(schema);
  });
});

describe("re-exports", () => {
  it.each([
    ["export *", 'export * from "./shared.ts";', "Shared"],
    ["export * through two", 'export * from "./again.ts";', "Shared"],
    ["export * behind one of another name", 'export * from "./other.ts";\nexport * from "./again.ts";', "Shared"],
    ["export * behind a value of that name", 'export * from "./value.ts";\nexport * from "./shared.ts";', "Shared"],
    ["export * beside one of an unknown package", 'export * from "./none.ts";\nexport * from "./shared.ts";', "Shared"],
    ["export { A }", 'export { Shared } from "./shared.ts";', "Shared"],
    ["export { A as B }", 'export type { Shared as Other } from "./shared.ts";', "Other"],
    ["export { A as default }", 'export { Shared as default } from "./shared.ts";', "default"],
    ["import, then export", 'import type { Shared } from "./shared.ts";\nexport type { Shared };', "Shared"],
    ["import, then export as another", 'import type { Shared as S } from "./shared.ts";\nexport { S as T };', "T"],
    ["export * as ns", 'export * as ns from "./shared.ts";', "ns.Shared"],
    ["import * as ns, then export", 'import * as ns from "./shared.ts";\nexport { ns };', "ns.Shared"],
    ["export default A", 'import type { Shared } from "./shared.ts";\nexport default Shared;', "default"],
    ["an alias", 'import type { Shared } from "./shared.ts";\nexport type Other = Shared;', "Other"],
  ])("find a type through %s", async (_, text, name) => {
    const files = {
      "api/v1/shared.ts": spec,
      "api/v1/again.ts": 'export * from "./shared.ts";',
      "api/v1/other.ts": 'export interface Other { b: string }\nexport * from "./barrel.ts";',
      "api/v1/value.ts": "export const Shared = 1;",
      "api/v1/barrel.ts": text,
    };
    const [first = "", rest] = name.split(".");
    const imports = `import { ${first} as Found } from "./barrel.ts";`;
    expect(await schemaOf(rest === undefined ? "Found" : `Found.${rest}`, imports, files)).toEqual(shared);
  });

  it("include types of the runtime", async () => {
    const barrel =
      'export * from "@kubewright/runtime/api";\nexport { IntOrString as Either } from "@kubewright/runtime/api";';
    const imports = 'import type { Either, Time } from "./barrel.ts";';
    expect(await schemaOf("{ a: Time; b: Either }", imports, { "api/v1/barrel.ts": barrel })).toMatchObject({
      properties: { a: { type: "string", format: "date-time" }, b: { "x-kubernetes-int-or-string": true } },
    });
  });

  it("don't duplicate the CRD of a kind", async () => {
    const { crds, diagnostics } = await runCrds({
      "api/v1/thing.ts": `${head}export interface Spec { a: Int32 }${kind}`,
      "api/v1/index.ts": 'export * from "./thing.ts";\nexport { Thing as Other } from "./thing.ts";',
      "api/index.ts": 'export * from "./v1/index.ts";\nexport * as v1 from "./v1/index.ts";',
    });
    expect(diagnostics).toEqual([]);
    expect(crds.map(({ spec }) => spec.names.kind)).toEqual(["Thing"]);
  });

  fullTest("use the first of two modules with the name, and work in a chain of thousands", async () => {
    const two = {
      "api/v1/barrel.ts": 'export * from "./shared.ts";\nexport * from "./second.ts";',
      "api/v1/shared.ts": spec,
      "api/v1/second.ts": "export interface Shared { b: Int32 }",
    };
    expect(await schemaOf("Shared", 'import type { Shared } from "./barrel.ts";', two)).toEqual(shared);
    const chain = Array.from({ length: 3000 }, (_, n) => [`lib/n${n}.ts`, `export * from "./n${n + 1}.ts";`]);
    const many = { ...Object.fromEntries(chain), "lib/n3000.ts": spec };
    expect(await schemaOf("Shared", 'import type { Shared } from "../../lib/n0.ts";', many)).toEqual(shared);
  });

  it("can be cyclic", async () => {
    const files = {
      "api/v1/a.ts": 'export * from "./b.ts";\nimport type { B } from "./b.ts";\nexport interface A { b?: B }',
      "api/v1/b.ts":
        'export * from "./a.ts";\nimport type { A } from "./a.ts";\nexport interface B { c: string; n?: A["b"] extends string ? 1 : 2 }',
    };
    expect(await schemaOf("A", 'import type { A } from "./b.ts";', files)).toMatchObject({
      properties: { b: { properties: { c: { type: "string" } } } },
    });
  });
});

describe("types of packages", () => {
  const pkg = (path: string, json: object) => ({ [`${path}/package.json`]: JSON.stringify(json) });
  it.each([
    ["types", { name: "lib", types: "lib.d.ts" }, { "node_modules/lib/lib.d.ts": spec }, "lib"],
    ["declarations next to main", { name: "lib", main: "lib.js" }, { "node_modules/lib/lib.d.ts": spec }, "lib"],
    [
      "exports with conditions",
      { name: "lib", exports: { ".": { import: { types: "./x/lib.d.mts" } } } },
      { "node_modules/lib/x/lib.d.mts": spec },
      "lib",
    ],
    [
      "exports with a subpath",
      { name: "lib", exports: { "./api/*": { types: "./dist/*.d.ts" } } },
      { "node_modules/lib/dist/v1.d.ts": spec },
      "lib/api/v1",
    ],
    ["exports of sources", { name: "lib", exports: "./src/lib.ts" }, { "node_modules/lib/src/lib.ts": spec }, "lib"],
    ["a scope", { name: "@a/lib", types: "lib.d.ts" }, { "node_modules/@a/lib/lib.d.ts": spec }, "@a/lib"],
    [
      "a re-export",
      { name: "lib", types: "lib.d.ts" },
      { "node_modules/lib/lib.d.ts": 'export * from "./inner.js";', "node_modules/lib/inner.d.ts": spec },
      "lib",
    ],
  ])("are found through %s", async (_, json, files, specifier) => {
    const more = { ...pkg(`node_modules/${json.name}`, json), ...(files as Record<string, string>) };
    expect(await schemaOf("Shared", `import type { Shared } from "${specifier}";`, more)).toEqual(shared);
  });

  it("are found through `export =`", async () => {
    const files = {
      ...pkg("node_modules/lib", { name: "lib", types: "lib.d.ts" }),
      "node_modules/lib/lib.d.ts": `declare namespace lib {\n${spec}}\nexport = lib;\n`,
    };
    expect(await schemaOf("lib.Shared", 'import type lib from "lib";', files)).toEqual(shared);
    expect(await schemaOf("lib.Shared", 'import lib = require("lib");', files)).toEqual(shared);
    expect(await schemaOf("Shared", 'import type { Shared } from "lib";', files)).toEqual(shared);
  });

  it("are found through @types and imports of package.json", async () => {
    const files = {
      ...pkg("node_modules/@types/lib", { name: "@types/lib", types: "index.d.ts" }),
      "node_modules/@types/lib/index.d.ts": spec,
      ...pkg(".", { name: "me", type: "module", imports: { "#lib/*": "./lib/*.ts" } }),
      "lib/shared.ts": spec,
    };
    expect(await schemaOf("Shared", 'import type { Shared } from "lib";', files)).toEqual(shared);
    expect(await schemaOf("Shared", 'import type { Shared } from "#lib/shared";', files)).toEqual(shared);
  });

  it("are found through paths of tsconfig.json, including inherited ones", async () => {
    const files = {
      "tsconfig.json":
        '{ "extends": "./tsconfig.base.json", /* comment */ "compilerOptions": { "module": "nodenext" } }',
      "tsconfig.base.json":
        '{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"], "shared": ["./lib/shared.ts"] } } }',
      "lib/shared.ts": spec,
    };
    expect(await schemaOf("Shared", 'import type { Shared } from "@lib/shared";', files)).toEqual(shared);
    expect(await schemaOf("Shared", 'import type { Shared } from "shared";', files)).toEqual(shared);
  });

  it("keep their markers and their imports of the runtime", async () => {
    const files = {
      ...pkg("node_modules/lib", { name: "lib", types: "lib.d.ts" }),
      "node_modules/lib/lib.d.ts":
        'import type { Int32 } from "@kubewright/runtime/api";\nexport interface A {\n  /**\n   * Of a.\n   * +kubebuilder:validation:Minimum=1\n   */\n  a: Int32;\n}\n',
    };
    expect((await schemaOf("A", 'import type { A } from "lib";', files))?.properties?.a).toEqual({
      type: "integer",
      format: "int32",
      description: "Of a.",
      minimum: 1,
    });
  });

  it("cause an error if the package is missing", async () => {
    const text = `${head}import type { X } from "nowhere";\nexport interface Spec {\n  value: X;\n}${kind}`;
    const { places, diagnostics } = await runCrds({ "api/v1/thing.ts": text });
    expect(places).toEqual(["api/v1/thing.ts:5:10 error unsupported-module"]);
    expect(diagnostics[0]?.message).toContain('cannot find the package "nowhere"');
  });

  it("are different types if two have the same name", async () => {
    const files = {
      "api/v1/a.ts": "export interface Same { a: string }",
      "api/common/b.ts": "export interface Same { b: string }",
    };
    const imports = 'import type { Same } from "./a.ts";\nimport type { Same as Other } from "../common/b.ts";';
    expect(await schemaOf("{ x: Same; y: Other }", imports, files)).toMatchObject({
      properties: { x: { required: ["a"] }, y: { required: ["b"] } },
    });
  });
});

describe("declarations", () => {
  it("are merged if interfaces have the same name", async () => {
    const text = `interface Part { a: string }
/** The part. */
// +kubebuilder:validation:MinProperties=1
interface Part extends More { b?: Int32 }
interface More { c: string }`;
    expect(await schemaOf("Part", text, {})).toEqual({
      type: "object",
      description: "The part.",
      minProperties: 1,
      properties: { a: { type: "string" }, b: { type: "integer", format: "int32" }, c: { type: "string" } },
      required: ["a", "c"],
    });
  });

  it("are found in other namespaces", async () => {
    const text = `export namespace Outer {
  export type Name = string;
  export interface Part { name: Name; inner: Inner.Part }
  export namespace Inner {
    export interface Part { up: Name; at: Outer.Other }
  }
}
namespace Outer.More { export interface Deep { a: Int32 } }
namespace Outer { export interface Other { deep: More.Deep } }`;
    expect(await schemaOf("Outer.Part", text, {})).toMatchObject({
      properties: {
        name: { type: "string" },
        inner: {
          properties: {
            up: { type: "string" },
            at: { properties: { deep: { properties: { a: { type: "integer", format: "int32" } } } } },
          },
        },
      },
    });
  });

  it("don't include kinds in namespaces", async () => {
    const { crds } = await runCrds({
      "api/v1/a.ts": `${head}namespace N { export interface K extends KubernetesObject {} }`,
    });
    expect(crds).toEqual([]);
  });

  it("include members of enums in namespaces as literals", async () => {
    const text = 'namespace N { export enum E { A = "a", B = "b" } }';
    expect(await schemaOf("N.E.A", text, {})).toEqual({ type: "string", enum: ["a"] });
    expect(await schemaOf("N.E", text, {})).toEqual({ type: "string", enum: ["a", "b"] });
  });
});

describe("files", () => {
  it.each(["thing.ts", "thing.mts", "thing.cts"])("include %s", async (name) => {
    const { crds } = await runCrds({ [`api/v1/${name}`]: `${head}export interface Spec { a: Int32 }${kind}` });
    expect(crds).toHaveLength(1);
  });

  it("can have other line ends, a byte order mark and non-ASCII letters", async () => {
    const text = `${head}/**\n * Größe: 𝒳 — 大.\n *\n * Two lines.\n */\nexport interface Spec {\n  // Line one.\n  // Line two.\n  // +kubebuilder:validation:MinLength=1\n  größe: string;\n}${kind}`;
    const plain = await runCrds({ "api/v1/thing.ts": text });
    const other = await runCrds({ "api/v1/thing.ts": `\uFEFF${text.replaceAll("\n", "\r\n")}` });
    expect(other.crds).toEqual(plain.crds);
    const schema = plain.crds[0]?.spec.versions[0]?.schema.openAPIV3Schema.properties?.spec;
    expect(schema?.description).toBe("Größe: 𝒳 — 大.\n\nTwo lines.");
    expect(schema?.properties).toEqual({
      größe: { type: "string", description: "Line one.\nLine two.", minLength: 1 },
    });
  });

  it("are read even if they don't type-check", async () => {
    const text = `${head}const x: string = 1;\nexport interface Spec { a: Int32; b: typeof x extends string ? Int32 : never }${kind}`;
    const { crds, diagnostics } = await runCrds({ "api/v1/thing.ts": text });
    expect(diagnostics).toEqual([]);
    expect(crds).toHaveLength(1);
  });

  it("cause an error with the position of a syntax error", async () => {
    const { places } = await runCrds({ "api/v1/thing.ts": `${head}export interface Spec {\n  a: ;\n}${kind}` });
    expect(places).toContain("api/v1/thing.ts:4:6 error syntax-error");
  });
});

it("a path below a file isn't found", async () => {
  const run = await runCrds({
    "api/v1/thing.ts": `// +groupName=example.com
import type { KubernetesObject } from "@kubewright/runtime/api";
import data from "./data.json";
import type { Own } from "./thing.ts";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
export interface Thing extends KubernetesObject { data: typeof data; own: Own }
`,
    "api/v1/data.json": '{ "a": 1 }',
  });
  expect(run.diagnostics.map(({ id, message }) => `${id}: ${message}`)).toEqual([
    "unsupported-type: cannot resolve the type data: it refers to an unknown type",
    'unknown-type: unknown type Own: cannot find the type "Own" in "./thing.ts"',
  ]);
});
