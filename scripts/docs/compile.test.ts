import { beforeAll, expect, it } from "vitest";
import { compile } from "./compile.ts";
import type { Block } from "./page.ts";
import { allPages } from "./pages.ts";

const blocks = allPages().flatMap((page) => page.blocks);
// What is quoted from files is compiled with them; quoted samples of custom kinds are tried on API servers.
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

// Together, since most of the time goes into what all of them import.
let problems: readonly string[] = [];
beforeAll(() => {
  problems = compile([...code, ...objects, ...samples]);
}, 180_000);
const problemsOf = (name: string) => problems.filter((problem) => problem.startsWith(`made/${name}:`));

it("the code and the objects of the documentation type-check", () => {
  expect(code.filter(isExample).length).toBeGreaterThan(70);
  expect(code.filter((block) => !isExample(block)).length).toBeGreaterThan(10);
  expect(problems.filter((problem) => !problem.startsWith("made/"))).toEqual([]);
});

it("reports the line on the page for an error in a block", () => {
  expect(problemsOf("wrong")).toEqual(["made/wrong:9: Type 'number' is not assignable to type 'string'."]);
});

it("a block may import again what it is given, and must import what it isn't", () => {
  expect(problemsOf("given")).toEqual([]);
  expect(problemsOf("not-given")).toHaveLength(2);
});

it("objects are held to the types of their kinds, Kubernetes' and those that a block is given", () => {
  expect(problemsOf("deployment")).toEqual([expect.stringContaining("replica")]);
  expect(problemsOf("custom")).toEqual([expect.stringContaining("hosts")]);
});
