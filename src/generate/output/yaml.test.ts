import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { toYaml } from "./yaml.ts";
import { NumberSpelling } from "./yaml-number.ts";

interface Row {
  doc: unknown;
  yaml?: string;
  error?: string;
  unordered?: true;
}

/** Keeps the spelling of numbers, which JSON.parse would lose. */
function parseRow(line: string): Row {
  const strings: string[] = [];
  const marked = line
    .replace(/"(?:[^"\\]|\\.)*"/g, (text) => `@${strings.push(text) - 1}@`)
    .replace(/(@\d+@)|(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)/g, (_, kept, number) => kept ?? `{"$number":"${number}"}`)
    .replace(/@(\d+)@/g, (_, index) => strings[Number(index)]!);
  return JSON.parse(marked, (_, value) =>
    typeof value === "object" && value !== null && "$number" in value ? new NumberSpelling(value.$number) : value,
  ) as Row;
}

const file = new URL("../../../testdata/conformance/yaml.jsonl", import.meta.url);
const rows = readFileSync(file, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => ({ line, ...parseRow(line) }));

test.each(rows.filter((row) => row.yaml !== undefined))("$line", ({ doc, yaml }) => {
  expect(toYaml(doc)).toEqual({ text: yaml });
});

test.each(rows.filter((row) => row.error !== undefined))("rejects $line", ({ doc }) => {
  expect(toYaml(doc)).toEqual({ problem: expect.stringContaining("allow the control character") });
});

test.each(rows.filter((row) => row.unordered))(
  "sorts keys independently of their order in the object: $line",
  ({ doc }) => {
    const entries = Object.entries(doc as object);
    const rotations = entries.map((_, shift) => [...entries.slice(shift), ...entries.slice(0, shift)]);
    const texts = rotations
      .flatMap((rotation) => [rotation, rotation.toReversed()])
      .map((each) => toYaml(Object.fromEntries(each)));
    for (const text of texts) expect(text).toEqual(texts[0]);
  },
);

test("keeps the values of numbers", () => {
  expect(
    toYaml({ a: 1e6, b: 1.5, c: 12345678901234567890n, d: -0, e: 1e21, f: 2 ** 53, g: 1e-7, h: 1234567.5 }),
  ).toEqual({
    text: "a: 1000000\nb: 1.5\nc: 12345678901234567890\nd: 0\ne: 1e+21\nf: 9007199254740992\ng: 1e-07\nh: 1.2345675e+06\n",
  });
});

test("omits undefined properties, and rejects other values that aren't data", () => {
  expect(toYaml({ a: undefined, b: {} })).toEqual({ text: "b: {}\n" });
  expect(toYaml({ a: { b: [1, Number.NaN] } })).toEqual({
    problem: "YAML documents can't contain the number NaN at a.b.1",
  });
  expect(toYaml({ a: () => {} })).toEqual({ problem: "a function isn't valid data at a" });
});

test("folds next-line characters as controller-gen does when it reads its own JSON", () => {
  const doc = { a: "one\u0085two", b: "one \u0085 \u0085 two", c: "\u0085", "d\u0085e": "x\t\u0085y" };
  expect(toYaml(doc)).toEqual({ text: "a: one two\nb: |-\n  one\n  two\nc: ' '\nd e: \"x\\t y\"\n" });
});

test("keeps a key __proto__", () => {
  expect(toYaml(JSON.parse('{"__proto__": 1, "a": 2}'))).toEqual({ text: "__proto__: 1\na: 2\n" });
});
