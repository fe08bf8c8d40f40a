import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** The folders of sources, with their tests, and of tests that start programs. */
const folders = [".", "../tests"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
const table = fileURLToPath(new URL("../../../docs/reference/conformance.md", import.meta.url));

interface Row {
  rule: string;
  files: string[];
}

const rows: Row[] = [...readFileSync(table, "utf8").matchAll(/^\| ([A-Z]\d+) \|[^|]*\|([^|]*)\|/gm)].map(
  ([, rule = "", files = ""]) => ({ rule, files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file) }),
);

/** Returns the rules in the names of tests, per file, with the paths of the table. */
function rulesInTests(): Map<string, Set<string>> {
  const tests = new Map<string, Set<string>>();
  const paths = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => [folder, path] as const),
  );
  for (const [folder, path] of paths) {
    const file = /^(.+)\.(?:test|fixture)\.ts$/.exec(path.replaceAll("\\", "/"))?.[1];
    if (!file) continue;
    const text = readFileSync(`${folder}/${path}`, "utf8");
    const names = [...text.matchAll(/\(\s*["'`]((?:[A-Z]\d+(?:, )?)+): /g)];
    const rules = tests.get(file) ?? new Set();
    for (const [, list = ""] of names) for (const rule of list.split(", ")) rules.add(rule);
    if (rules.size > 0) tests.set(file, rules);
  }
  return tests;
}

const named = rulesInTests();

it("the table contains each rule of a group once, from the first to the last", () => {
  const numbers = new Map<string, number[]>();
  for (const { rule } of rows) {
    const group = rule.charAt(0);
    numbers.set(group, [...(numbers.get(group) ?? []), Number(rule.slice(1))]);
  }
  expect([...numbers.keys()].join("")).toBe("QRCMIHKW");
  for (const [group, used] of numbers) expect([group, used]).toEqual([group, used.map((_, index) => index + 1)]);
});

it.each(rows)("the files in the table contain tests with $rule in their names", ({ rule, files }) => {
  expect(files).not.toEqual([]);
  for (const file of files)
    expect([file, [...(named.get(file) ?? [])]]).toEqual([file, expect.arrayContaining([rule])]);
});

it("the table contains each rule in the name of a test", () => {
  const listed = new Set(rows.map(({ rule }) => rule));
  const inTests = [...named].flatMap(([file, rules]) => [...rules].map((rule) => [rule, file] as const));
  expect(inTests.filter(([rule]) => !listed.has(rule))).toEqual([]);
});
