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
])("reads a marker %s", (_, text, lines) => {
  expect(read(text)).toEqual(lines.map((line) => [marker, line]));
});

it.each([
  ["in the documentation of a function", `package a\n\n// X.\n// ${marker}\nfunc x() {}\n`],
  ["in the documentation of a type", `package a\n\n// ${marker}\ntype X struct{}\n`],
  ["in the documentation of imports", `package a\n\n// ${marker}\nimport (\n\t"a"\n)\n`],
  ["in a function", `package a\nfunc x() {\n\t// ${marker}\n\tif a {\n\t}\n}\n`],
  ["in a struct", `package a\ntype X struct {\n\t// ${marker}\n\n\ta int\n}\n`],
  ["in a block comment", `package a\n\n/*\n${marker}\n*/\n`],
  ["in a raw string", `package a\nvar b = \`\n// ${marker}\n\`\n`],
  ["behind other text", `package a\n\n// See ${marker}\n`],
])("doesn't read a marker %s", (_, text) => {
  expect(read(text)).toEqual([]);
});
