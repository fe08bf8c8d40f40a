import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { compile } from "./compile.ts";
import type { Block } from "./page.ts";
import { allPages, root } from "./pages.ts";
import { blockOf, rowsOf } from "./ports/rows.ts";

const blocks = allPages().flatMap((page) => page.blocks);
// Quoted code is compiled with its file, and quoted samples of custom kinds are tested with API servers.
const code = blocks
  .filter(({ language, quoted }) => language === "ts" && quoted === undefined)
  .map((block) => (isExample(block) ? { ...block, notes: { given: givenOf(block.page) } } : block));
const objects = blocks.filter(({ language, quoted }) => language === "yaml" && !quoted?.startsWith("examples/"));

/** True for blocks of the API reference, which come from comments of the runtime. */
function isExample({ page }: Block): boolean {
  return page.startsWith("docs/reference/runtime/");
}

/** Returns the imports of an example: two areas export the same names. */
function givenOf(page: string): string {
  return page.endsWith("/simulation.md") ? "runtime, game, simulation" : "runtime, testing, conversion, example";
}

const made = (name: string, language: string, text: string, given = "game"): Block => {
  return { page: `made/${name}`, line: 7, language, notes: { given }, text };
};
const ownImport = 'import { Pod } from "@kubewright/runtime/api/core/v1";\nclient.get(Pod, key);\n';
const samples = [
  made("wrong", "ts", "const a = 1;\nconst b: string = a;\n", "game, runtime"),
  made("given", "ts", ownImport, "runtime"),
  made("not-given", "ts", ownImport),
  { ...made("deployment", "yaml", "apiVersion: apps/v1\nkind: Deployment\nspec: { replica: 1 }\n"), notes: {} },
  made("custom", "yaml", "apiVersion: myapp.example.com/v1\nkind: Game\nspec: { hosts: a.io }\n"),
];

const portsPage = "docs/guides/coming-from-kubebuilder.md";
const portRows = rowsOf(readFileSync(join(root, portsPage), "utf8"));
const ports = blockOf(portRows, portsPage);
const wrongCode = ["client.gett(Game, key)", "Reconcilerr", "{ predicate: [] }", ".own(Pod)", "a b", "objekt"];
const wrongPorts = blockOf([{ line: 7, go: [], typescript: wrongCode }], "made/rows");

// One compilation for all blocks, because most of the time is spent on their common imports.
let problems: readonly string[] = [];
beforeAll(() => {
  problems = compile([...code, ...objects, ...samples, ports.block, wrongPorts.block]);
});
const problemsOf = (name: string) => problems.filter((problem) => problem.startsWith(`made/${name}:`));

it("the code and the objects of the documentation type-check", () => {
  expect(code.filter(isExample).length).toBeGreaterThan(70);
  expect(code.filter((block) => !isExample(block)).length).toBeGreaterThan(10);
  expect(problems.filter((problem) => !/^(?:made\/|rows of )/.test(problem))).toEqual([]);
});

it("an error in a block is reported with its line on the page", () => {
  expect(problemsOf("wrong")).toEqual(["made/wrong:9: Type 'number' is not assignable to type 'string'."]);
});

it("a block may import given names again, and must import other names", () => {
  expect(problemsOf("given")).toEqual([]);
  expect(problemsOf("not-given")).toHaveLength(2);
});

it("objects are checked with the types of built-in kinds and of the block's given kinds", () => {
  expect(problemsOf("deployment")).toEqual([expect.stringContaining("replica")]);
  expect(problemsOf("custom")).toEqual([expect.stringContaining("hosts")]);
});

it("the TypeScript in the tables of calls type-checks", () => {
  expect(portRows.length).toBeGreaterThan(120);
  expect(ports.invalid(problems)).toEqual([]);
});

it("code in a table is reported if it isn't a value, type, statement, option or field", () => {
  expect(wrongPorts.invalid(problems)).toEqual(
    wrongCode.map((each) => expect.stringContaining(`made/rows:7: ${each}: `)),
  );
});
