import { expect, it } from "vitest";
import { formatterName } from "./formatter-name.ts";

const biome = { "@biomejs/biome": "2.5.6" };
const prettier = { prettier: "3.10.1" };

it.each([
  ["the one of the script fmt", { scripts: { fmt: "prettier --write ." }, devDependencies: biome }, "prettier"],
  ["the one of the script format", { scripts: { format: "npx @biomejs/biome format --write" } }, "biome"],
  ["the one that fmt calls by format", { scripts: { fmt: "npm run format", format: "prettier -w ." } }, "prettier"],
  ["none, if the script calls another one", { scripts: { fmt: "dprint fmt" }, devDependencies: biome }, undefined],
  ["the only one of the dependencies", { scripts: { test: "vitest" }, devDependencies: prettier }, "prettier"],
  ["Biome, if the dependencies have both", { dependencies: prettier, devDependencies: biome }, "biome"],
  ["none without scripts and dependencies", {}, undefined],
  ["none, if the fields have wrong types", { scripts: 1, dependencies: "prettier", devDependencies: null }, undefined],
])("the formatter is %s", (_, manifest, name) => {
  expect(formatterName(JSON.stringify(manifest))).toBe(name);
});

it("a missing or broken package.json has no formatter", () => {
  for (const manifest of [undefined, "", "{", "null", "[]"]) expect(formatterName(manifest)).toBeUndefined();
});
