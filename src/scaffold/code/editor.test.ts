import { expect, it } from "vitest";
import {
  addImports,
  appendElements,
  editSource,
  extendChain,
  removeElements,
  removeImports,
  replaceModules,
} from "./editor.ts";

const place = { constant: "converter", property: "spokes" };

it("inserted text has the line breaks of the file", () => {
  const before = 'import { a } from "a";\r\n\r\na();\r\n';
  const after = editSource("a.ts", before, (file) => addImports(file, [{ module: "b", names: ["c"] }]));
  expect(after).toBe('import { a } from "a";\r\nimport { c } from "b";\r\n\r\na();\r\n');
});

it("imports are added after the license header of a file without imports", () => {
  const after = editSource("a.ts", "// License\n\na();\n", (file) => addImports(file, [{ module: "b", names: ["c"] }]));
  expect(after).toBe('// License\n\nimport { c } from "b";\n\na();\n');
});

it("several imports can be removed at once, but not those that are used or have comments", () => {
  const before = [
    'import { a } from "a";',
    'import { b, type B } from "b";',
    'import { /* why */ c } from "c";',
    'import { d } from "d";',
    "",
    "b();",
    "",
  ];
  const wanted = ["a", "b", "c", "d"].map((module) => ({ module, names: [module, "type B"] }));
  expect(editSource("a.ts", before.join("\n"), (file) => removeImports(file, wanted))).toBe(
    'import { b } from "b";\nimport { /* why */ c } from "c";\n\nb();\n',
  );
});

it("elements are added to and removed from arrays with casts, on one line or on several", () => {
  const text = (list: string) => `export const converter = { spokes: ${list} as const } satisfies C;\n`;
  const added = (list: string) =>
    editSource("a.ts", text(list), (file) => appendElements(file, "a.ts", place, ["v2", "v3"]));
  expect(added("[]")).toBe(text("[v2, v3]"));
  expect(added("[v1]")).toBe(text("[v1, v2, v3]"));
  const several = (names: string[]) => `[\n${names.map((name) => `  ${name},\n`).join("")}]`;
  expect(added(several(["v0", "v1"]))).toBe(text(several(["v0", "v1", "v2", "v3"])));
  const removed = (list: string, names: string[]) =>
    editSource("a.ts", text(list), (file) => removeElements(file, place, names));
  expect(removed("[v1, v2, v3]", ["v1", "v3"])).toBe(text("[v2]"));
  expect(removed("[v1]", ["v1"])).toBe(text("[]"));
});

it("calls are inserted into chains of functions and of constants", () => {
  const extension = { within: "setup", begin: "begin", end: "complete", calls: [".two()"] };
  const extended = (text: string) => editSource("a.ts", text, (file) => extendChain(file, "a.ts", extension));
  expect(extended("export async function setup() {\n  await begin(x).one().complete();\n}\n")).toBe(
    "export async function setup() {\n  await begin(x).one().two().complete();\n}\n",
  );
  expect(extended("const setup = () =>\n  begin(x)\n    // why\n    .complete();\n")).toBe(
    "const setup = () =>\n  begin(x)\n    .two()\n    // why\n    .complete();\n",
  );
});

it("modules are replaced in all kinds of imports, and keep their quotes", () => {
  const text = (module: string) => `import "${module}";
export { a } from '${module}';
type B = import("${module}").B;
const c = await import('${module}');
`;
  expect(editSource("a.ts", text("./a.ts"), (file) => replaceModules(file, () => "./b/it's.ts"))).toBe(
    text("./b/it's.ts").replaceAll(/'(.*it)'(.*)'/g, "'$1\\'$2'"),
  );
});

it("a syntax error has its line, and nothing is changed", () => {
  expect(() => editSource("a.ts", "a();\nb(;\n", () => expect.unreachable())).toThrow(
    "a.ts:2 can't be read: ')' expected.; nothing was changed",
  );
});
