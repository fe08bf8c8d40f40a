// Types that TypeScript accepts or rejects, and that no schema can express. Each error has the position of the text
// to change.
import { relative } from "node:path";
import { describe, expect, it } from "vitest";
import { linesAbove, runCrds, specOf } from "../test-support/project.ts";

/** Returns the diagnostics of a spec as `line:column message (hint) [id]`. The text's first line is line 1. */
async function diagnosticsOf(text: string): Promise<string[]> {
  const { run } = await specOf(text);
  return run.diagnostics.map(({ line, column, message, hint, id }) => {
    return `${line - linesAbove + 1}:${column} ${message}${hint === undefined ? "" : ` (${hint})`} [${id}]`;
  });
}

describe("functions and accessors", () => {
  const functions = "the type function has no schema (remove it: functions can't be serialized) [unsupported-type]";
  const accessor = "a getter or setter has no schema (use a property, without `get` and `set`) [unsupported-type]";
  it.each([
    ["a method", "run(): void", functions],
    ["an optional method", "run?(to: string): void", functions],
    ["a generic method", "run<T>(to: T): T", functions],
    ["a property that holds a function", "run: () => void", functions],
    ["a call signature", "(to: string): void", functions],
    ["a construct signature", "new (to: string): Date", functions],
    ["a getter", "get size(): Int32", accessor],
    ["a setter", "set size(to: Int32)", accessor],
  ])("%s is rejected at its position", async (name, member, message) => {
    const column = name.startsWith("a property") ? 8 : 3;
    expect(await diagnosticsOf(`export interface Spec {\n  a: string;\n  ${member};\n}`)).toEqual([
      `3:${column} ${message}`,
    ]);
    expect(await diagnosticsOf(`export interface Spec { b: {\n  a: string;\n  ${member};\n} }`)).toEqual([
      `3:${column} ${message}`,
    ]);
  });

  it("aren't part of a class's data", async () => {
    const { spec, run } = await specOf(`class Base { constructor() {} }
export class Spec extends Base { b?: string; private a = 1; run(): void {} get size(): Int32 { return 1 } set size(to) {} }`);
    expect(run.places).toEqual([]);
    expect(Object.keys(spec.properties ?? {})).toEqual(["b"]);
  });

  it("aren't visited with Schemaless", async () => {
    expect(
      await diagnosticsOf("export interface Spec {\n// +kubebuilder:validation:Schemaless\nrun(): void }"),
    ).toEqual([]);
  });

  it("are found in types that the type checker resolves", async () => {
    const text = "type Not<T> = T extends string ? { run(): void } : never;\nexport interface Spec { a: Not<string> }";
    expect(await diagnosticsOf(text)).toEqual([`1:15 ${functions}`]);
  });
});

describe("a duplicate field", () => {
  it("in one interface is rejected for any types", async () => {
    expect(
      await diagnosticsOf("export interface Spec {\n  a: string;\n  a: string;\n  b: { c: number; c: string };\n}"),
    ).toEqual([
      `3:3 the field a is declared twice (remove one of them: the other is in line ${linesAbove + 1}) [duplicate-field]`,
      `4:19 the field c is declared twice (remove one of them: the other is in line ${linesAbove + 3}) [duplicate-field]`,
    ]);
  });

  it("in merged interfaces is accepted with the same type, in any notation", async () => {
    const text = "/** A name. */\ntype Name = string;\nexport interface Spec { a?: Name; run: string[] }\n";
    expect(await diagnosticsOf(`${text}interface Spec { b: string; a?: string; run: Array<string> }`)).toEqual([]);
  });

  it("in merged interfaces is rejected with different types", async () => {
    const text = "export interface Spec { a: string; b?: string }\ninterface Spec {\n  a: number;\n  b: string;\n}";
    expect(await diagnosticsOf(text)).toEqual([
      `3:3 the field a is declared again, with a different type (declare it as in line ${linesAbove}) [conflicting-types]`,
      `4:3 the field b is declared again, with a different \`?\` (declare it as in line ${linesAbove}) [conflicting-types]`,
    ]);
  });
});

describe("type arguments", () => {
  const box = "interface Box<T> { v: T }\ninterface Two<A, B = string> { a: A; b: B }\n";
  it.each([
    ["Box", "Box takes type arguments for T, but has none (use `Box<T>` with types for T) [type-arguments]"],
    [
      "Box<string, string>",
      "Box takes type arguments for T, but has 2 (use `Box<T>` with types for T) [type-arguments]",
    ],
    ["Two", "Two takes type arguments for A, B, but has none (use `Two<A, B>` with types for A, B) [type-arguments]"],
    ["Plain<string>", "Plain takes no type arguments, but has 1 (use `Plain` without arguments) [type-arguments]"],
  ])("%s is rejected at its use", async (type, message) => {
    expect(await diagnosticsOf(`${box}interface Plain { a: string }\nexport interface Spec { a: ${type} }`)).toEqual([
      `4:28 ${message}`,
    ]);
  });

  it("are optional if the parameters have defaults", async () => {
    expect(await diagnosticsOf(`${box}export interface Spec { a: Two<string>; b: Two<string, number> }`)).toEqual([]);
  });
});

describe("an unknown property", () => {
  it.each([
    ['B["zz"]', 'B has no property "zz" (it has name, size) [unknown-type]'],
    ['B["nmae"]', 'B has no property "nmae" (did you mean "name"?) [unknown-type]'],
    ['None["zz"]', 'None has no property "zz" (it has none) [unknown-type]'],
  ])("causes an error: %s", async (type, message) => {
    const text = `interface B { name: string; size: number }\ninterface None {}\nexport interface Spec { a: ${type} }`;
    expect(await diagnosticsOf(text)).toEqual([`3:${28 + type.indexOf("[") + 1} ${message}`]);
  });

  it("causes no error if the type checker can determine it", async () => {
    expect(await diagnosticsOf('export interface Spec { a: string[]["length"] }')).toEqual([]);
  });
});

describe("a file that isn't text", () => {
  it.each([
    ["UTF-16", Buffer.from("\ufeffexport interface A { a: string }", "utf16le")],
    ["another encoding", Buffer.from([0x2f, 0x2f, 0xe9, 0xe8, 0x0a])],
    ["binary", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 2, 3])],
  ])("with %s causes one error", async (_, bytes) => {
    const { diagnostics } = await runCrds({ "api/v1/a.ts": bytes });
    expect(
      diagnostics.map(({ file, line, column, message, hint, id }) => ({
        name: relative("/", file).split("/").at(-1),
        line,
        column,
        message,
        hint,
        id,
      })),
    ).toEqual([
      {
        name: "a.ts",
        line: 1,
        column: 1,
        message: "cannot read this file: it isn't valid UTF-8",
        hint: "save it as UTF-8, or remove it from the directory",
        id: "syntax-error",
      },
    ]);
  });

  it("isn't assumed because of U+FFFD in a comment", async () => {
    expect(await diagnosticsOf("/** \ufffd */\nexport interface Spec { a: string }")).toEqual([]);
  });
});

describe("the error of a marker in the wrong place has a hint with the right place", () => {
  const v = "kubebuilder:validation:";
  it.each([
    ["MaxLength=4", "Int32", 'must apply maxlength to a textual value, found type "integer" (it belongs on a string)'],
    [
      "Pattern=a",
      "string[]",
      'must apply pattern to a textual value, found type "array" (use +kubebuilder:validation:items:Pattern for the items of the list)',
    ],
    ["Minimum=1", "string", "must apply minimum to a numeric value, found string (it belongs on a number)"],
    ["Minimum=1.5", "Int32", "cannot apply non-integral minimum validation (1.5) to integer value (use an integer)"],
    ["MaxItems=4", "string", "must apply maxitem to an array (it belongs on a list)"],
    ["MaxProperties=4", "string[]", "must apply maxproperties to an object (it belongs on an object or a map)"],
    [
      "items:MaxLength=4",
      "string",
      "must apply kubebuilder:validation:items:MaxLength to an array value, found string (use +kubebuilder:validation:MaxLength: only a list has items)",
    ],
    [
      "items:MaxLength=4",
      "Int32[]",
      'must apply maxlength to a textual value, found type "integer" (it belongs on a list of strings)',
    ],
  ])("%s on %s", async (marker, type, message) => {
    expect(await diagnosticsOf(`export interface Spec {\n  // +${v}${marker}\n  a: ${type};\n}`)).toEqual([
      `2:6 +${v}${marker.split("=")[0]}: ${message} [marker-not-applicable]`,
    ]);
  });

  it.each([
    ["listType=map", "string", "listType: must apply listType to an array, found string (it belongs on a list)"],
    [
      "listMapKey=a",
      "string[]",
      "listMapKey: must apply listMapKey to an associative-list (it belongs on a list with `+listType=map`)",
    ],
    ["mapType=atomic", "string", "mapType: must apply mapType to an object (it belongs on an object or a map)"],
    [
      "listType=some",
      "string[]",
      'listType: ListType must be either "map", "set" or "atomic" (for example: `+listType=set`)',
    ],
  ])("%s on %s", async (marker, type, message) => {
    expect(await diagnosticsOf(`export interface Spec {\n  // +${marker}\n  a: ${type};\n}`)).toEqual([
      `2:6 +${message} [marker-not-applicable]`,
    ]);
  });
});
