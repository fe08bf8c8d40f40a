// Properties without a literal name or a type, and unknown property names.
import { expect, it } from "vitest";
import { linesAbove, specOf } from "../test-support/project.ts";

async function diagnosticsOf(text: string): Promise<string[]> {
  const { run } = await specOf(text, { core: "real" });
  return run.diagnostics.map(({ line, column, severity, message, hint }) => {
    return `${line - linesAbove + 1}:${column} ${severity}: ${message} (${hint})`;
  });
}

it.each([
  ["[Symbol.iterator]: string", "the computed name [Symbol.iterator] isn't supported"],
  ["[KEY]: string", "the computed name [KEY] isn't supported"],
  ["[KEY.length]: string", "the computed name [KEY.length] isn't supported"],
])("a computed name is rejected: %s", async (member, message) => {
  expect(await diagnosticsOf(`const KEY = "a";\nexport interface Spec {\n  ${member};\n}`)).toEqual([
    `3:3 error: ${message} (use a literal name, quoted if necessary, or remove the property)`,
  ]);
});

it("a literal in brackets is accepted as a name", async () => {
  const { spec, run } = await specOf(
    'export interface Spec { ["a"]: string; [`b`]: string; [1]: string; "[c]": string }',
  );
  expect(run.diagnostics).toEqual([]);
  expect(Object.keys(spec.properties ?? {}).sort()).toEqual(["1", "[c]", "a", "b"]);
});

it.each([
  ["an interface", "export interface Spec {\n  a;\n  b: string }"],
  ["a class", "export class Spec {\n  a = 1;\n  b: string = '' }"],
])("a property of %s without a type is rejected", async (_, text) => {
  expect(await diagnosticsOf(text)).toEqual([
    "2:3 error: the property a has no type (add the type after the name, as in `a: string`)",
  ]);
});

it("a property of a class can inherit its type", async () => {
  const { spec, run } = await specOf(
    "abstract class Base { a?: Int32 }\nexport class Spec extends Base { a = 1; b?: string }",
  );
  expect(run.diagnostics).toEqual([]);
  expect(Object.keys(spec.properties ?? {}).sort()).toEqual(["a", "b"]);
});

const part = "interface Part { name: string; size?: Int32 }\n";

it("Pick of an unknown property is an error, as in TypeScript", async () => {
  expect(await diagnosticsOf(`${part}export interface Spec { value: Pick<Part, "size" | "nme"> }`)).toEqual([
    '2:52 error: Part has no property "nme" (did you mean "name"?)',
  ]);
  expect(await diagnosticsOf(`${part}export interface Spec { value: Pick<Part, "zz"> }`)).toEqual([
    '2:43 error: Part has no property "zz" (it has name, size)',
  ]);
});

it("Omit of an unknown property is a warning, because it has no effect", async () => {
  const { value, run } = await specOf(`${part}export interface Spec { value: Omit<Part, "nme"> }`);
  expect(run.diagnostics).toMatchObject([
    { id: "unknown-omit", severity: "warning", message: 'Part has no property "nme" to omit' },
  ]);
  expect(Object.keys(value.properties ?? {})).toEqual(["name", "size"]);
});

it.each([
  [
    "names from a type alias",
    `${part}type Common = "id" | "name";\nexport interface Spec { value: Omit<Part, Common> }`,
  ],
  [
    "methods of a class",
    "class Part { a?: string; run(): void {} }\nexport interface Spec { value: Omit<Part, 'run'> }",
  ],
])("Omit accepts %s", async (_, text) => {
  expect(await diagnosticsOf(text)).toEqual([]);
});

it("Pick of object metadata contains the picked properties", async () => {
  const { value, run } = await specOf('export interface Spec { value: Pick<ObjectMeta, "labels" | "name"> }', {
    core: "real",
  });
  expect(run.diagnostics).toEqual([]);
  expect(value).toMatchObject({
    type: "object",
    properties: { labels: { type: "object", additionalProperties: { type: "string" } }, name: { type: "string" } },
  });
  expect(value.required).toBeUndefined();
});

it.each([
  [
    "this",
    "export interface Spec { value: this }",
    "1:32 error: the type this has no schema (use the name of the type)",
  ],
  [
    "an empty enum",
    "enum None {}\nexport interface Spec { value: None }",
    "1:1 error: the enum None has no members (set each member to a string)",
  ],
])("%s is rejected", async (_, text, message) => {
  expect(await diagnosticsOf(text)).toEqual([message]);
});
