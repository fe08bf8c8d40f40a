import { expect, it } from "vitest";
import { packageMarkers } from "./go-comments.ts";

const marker = "+kubebuilder:rbac:groups=core,resources=pods,verbs=get";
const read = (text: string) => packageMarkers(text).map(({ text: found, line }) => [found, line]);

it.each([
  ["in front of the package clause", `// ${marker}\npackage a\n`, [1]],
  ["at the end of a file", `package a\n\n//${marker}`, [3]],
  ["with an empty line in front of a function", `package a\n\n// ${marker}\n\n// Documentation.\nfunc x() {}\n`, [3]],
  ["between functions", `package a\nfunc x() {}\n// ${marker}\n\nfunc y() {}\n`, [3]],
  ["in several groups", `package a\n// ${marker}\n\n// ${marker}\n\nvar a = 1\n`, [2, 4]],
  ["behind a string with quotes and slashes", `package a\nvar a = "\\"//"\nvar b = \`\n// \`\n// ${marker}\n`, [5]],
  ["after a declaration over several lines", `package a\nvar a = []string{\n\t"b",\n}\n\n// ${marker}\n`, [6]],
  ["above a group of types, with an empty line between", `package a\n\n// ${marker}\n\ntype (\n\tb int\n)\n`, [3]],
  [
    "in a group above a type with an empty line between",
    `package a\ntype (\n\t// ${marker}\n\n\t// X.\n\tb int\n)\n`,
    [3],
  ],
  [
    "in a group of types in a function",
    `package a\nfunc x() {\n\ttype (\n\t\t// ${marker}\n\n\t\tb int\n\t)\n}\n`,
    [4],
  ],
  ["at the end of a function", `package a\nfunc x() {} // ${marker}\nfunc y() {}\n`, [2]],
  ["at the end of a group", `package a\nvar (\n\tb = 1\n) // ${marker}\ntype c int\n`, [4]],
  ["at the end of the package clause", `package a // ${marker}\nvar b = 1\n`, [1]],
])("reads a marker %s", (_, text, lines) => {
  expect(read(text)).toEqual(lines.map((line) => [marker, line]));
});

it.each([
  ["in the documentation of a function", `package a\n\n// X.\n// ${marker}\nfunc x() {}\n`],
  ["in the documentation of a type", `package a\n\n// ${marker}\ntype X struct{}\n`],
  ["in the documentation of imports", `package a\n\n// ${marker}\nimport (\n\t"a"\n)\n`],
  ["in a function", `package a\nfunc x() {\n\t// ${marker}\n\tif a {\n\t}\n}\n`],
  ["in a struct", `package a\ntype X struct {\n\t// ${marker}\n\n\ta int\n}\n`],
  ["at the end of a field", `package a\ntype X struct {\n\ta int // ${marker}\n}\n`],
  ["at the end of a type", `package a\ntype X struct {\n\t// A.\n\ta int\n} // ${marker}\n`],
  ["at the end of an import", `package a\nimport "b" // ${marker}\n`],
  ["at the end of a variable", `package a\nvar b = func() int {\n\treturn 1\n}() // ${marker}\n`],
  ["at the end of a type in a group", `package a\ntype (\n\tb int // ${marker}\n\tc int\n)\n`],
  ["in a group, in front of another comment", `package a\ntype (\n\t// ${marker}\n\n\t// X.\n\n\tb int\n)\n`],
  ["in a group of variables", `package a\nvar (\n\t// ${marker}\n\n\tb int\n)\n`],
  ["in a block comment", `package a\n\n/*\n${marker}\n*/\n`],
  ["in a raw string", `package a\nvar b = \`\n// ${marker}\n\`\n`],
  ["behind other text", `package a\n\n// See ${marker}\n`],
])("doesn't read a marker %s", (_, text) => {
  expect(read(text)).toEqual([]);
});
