import type { Json } from "@kubewright/cel/json";
import { expect, it } from "vitest";
import { blockYaml } from "./block-yaml.ts";

it.each<[string, Json, string]>([
  ["a list of maps", [{ fieldPath: "spec.color" }, { b: 1, a: null }], "- fieldPath: spec.color\n- b: 1\n  a: null\n"],
  ["maps in maps", { a: { b: { c: true } }, d: [1, "x"] }, "a:\n    b:\n        c: true\nd:\n    - 1\n    - x\n"],
  ["maps in lists", [{ a: { b: 1 }, c: [1, { d: [2] }] }], "- a:\n    b: 1\n  c:\n    - 1\n    - d:\n        - 2\n"],
  ["lists in lists", [[1, [2]], []], "- - 1\n  - - 2\n- []\n"],
  ["empty values", { a: {}, b: "" }, 'a: {}\nb: ""\n'],
])("writes %s", (_name, value, yaml) => {
  expect(blockYaml(value)).toBe(yaml);
});

it.each<[string, string]>([
  ["self.a == 'x'", "self.a == 'x'"],
  ["true", '"true"'],
  ["yes", "yes"],
  ["1.5", '"1.5"'],
  ["0x1F", '"0x1F"'],
  ["100Mi", "100Mi"],
  ["2020-01-01", '"2020-01-01"'],
  ["12:30", "12:30"],
  ["a: b", "'a: b'"],
  ["a:b", "a:b"],
  ["'a' in b", "'''a'' in b'"],
  ["- a", "'- a'"],
  ["-a", "-a"],
  ["a #b", "'a #b'"],
  ["a ", "'a '"],
  ["a\tb", '"a\\tb"'],
  ["é", "é"],
  ["😀", '"\\U0001F600"'],
  ["a\nb", "|-\n    a\n    b"],
  ["a\n\n b\n", "|\n    a\n\n     b"],
  [" a\nb\n\n", "|4+\n     a\n    b\n"],
  ["a \nb", '"a \\nb"'],
])("writes the text %j as %s", (text, yaml) => {
  expect(blockYaml(text)).toBe(`${yaml}\n`);
});

it("indents multi-line strings after keys and dashes", () => {
  expect(blockYaml({ a: "x\ny", b: ["x\ny"] })).toBe("a: |-\n    x\n    y\nb:\n    - |-\n      x\n      y\n");
});
