import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openTree } from "../files/tree.ts";
import { readPristine } from "../pristine/pristine.ts";
import { initProject } from "../test-support/game.ts";
import { snapshot, testDirectory } from "../test-support/tree.ts";
import { mergePackageJson } from "./package-json.ts";

const scaffolded = JSON.stringify({
  name: "mygame",
  private: true,
  type: "module",
  engines: { node: ">=20.19" },
  imports: { "#api/*": "./api/*" },
  scripts: { build: "ours", test: "ours" },
  dependencies: { "@kubewright/runtime": "file:vendor/runtime.tgz" },
  devDependencies: { kubewright: "file:vendor/kubewright.tgz", vitest: "4.0.0", typescript: "7.0.0" },
});

function merge(existing: object) {
  const { text, notes } = mergePackageJson(JSON.stringify(existing), scaffolded);
  return { merged: JSON.parse(text), notes };
}

it("accepts the file that npm install creates in an empty directory", () => {
  const { merged, notes } = merge({
    dependencies: { "@kubewright/runtime": "file:../runtime.tgz", kubewright: "file:../kubewright.tgz" },
  });
  expect(merged).toEqual(JSON.parse(scaffolded));
  expect(Object.keys(merged)).toEqual(Object.keys(JSON.parse(scaffolded)));
  expect(notes).toEqual([]);
});

it("accepts the file that npm init creates, and replaces its test script and module format", () => {
  const { merged, notes } = merge({
    name: "theirs",
    version: "1.0.0",
    main: "index.js",
    scripts: { test: 'echo "Error: no test specified" && exit 1' },
    type: "commonjs",
  });
  expect(merged).toMatchObject({ name: "theirs", version: "1.0.0", main: "index.js", type: "module" });
  expect(merged.scripts).toEqual({ test: "ours", build: "ours" });
  expect(notes).toEqual(['package.json: "type" is now "module", which the scaffolded code needs']);
});

it("keeps the user's keys, scripts and versions, and lists the kept scripts", () => {
  const { merged, notes } = merge({
    name: "theirs",
    private: false,
    engines: { node: ">=22", npm: ">=10" },
    imports: { "#lib/*": "./lib/*" },
    scripts: { build: "mine", deploy: "mine" },
    dependencies: { typescript: "6.0.0" },
    devDependencies: { eslint: "1.0.0", vitest: "3.0.0" },
    config: { a: 1 },
  });
  expect(merged).toMatchObject({ name: "theirs", private: false, config: { a: 1 } });
  expect(merged.engines).toEqual({ node: ">=22", npm: ">=10" });
  expect(merged.imports).toEqual({ "#lib/*": "./lib/*", "#api/*": "./api/*" });
  expect(merged.scripts).toEqual({ build: "mine", deploy: "mine", test: "ours" });
  expect(merged.dependencies).toEqual({ "@kubewright/runtime": "file:vendor/runtime.tgz", typescript: "6.0.0" });
  expect(Object.entries(merged.devDependencies)).toEqual([
    ["eslint", "1.0.0"],
    ["kubewright", "file:vendor/kubewright.tgz"],
    ["vitest", "3.0.0"],
  ]);
  expect(notes).toEqual(["package.json: the scripts build are kept as they are"]);
});

it("keeps the indentation and the line breaks", () => {
  const { text } = mergePackageJson('{\r\n\t"name": "theirs"\r\n}\r\n', scaffolded);
  expect(text.startsWith('{\r\n\t"name": "theirs",\r\n\t"private": true,\r\n')).toBe(true);
  expect(text.replaceAll("\r\n", "")).not.toContain("\n");
});

it.each([
  ["", "package.json can't be added to"],
  ["{", "package.json can't be added to"],
  ["[]", "it must contain an object"],
  ["null", "it must contain an object"],
  ['{"scripts": []}', '"scripts" must be an object'],
  ['{"dependencies": "x"}', '"dependencies" must be an object'],
])("rejects %j", (text, message) => {
  expect(() => mergePackageJson(text, scaffolded)).toThrow(message);
});

it("lets init work if the packages are installed, with only the scaffolded text as pristine copy", async () => {
  const existing = { dependencies: { kubewright: "file:../kubewright.tgz" }, scripts: { mine: "mine" } };
  const root = testDirectory({
    "package.json": JSON.stringify(existing),
    "package-lock.json": "{}",
    "node_modules/kubewright/package.json": "{}",
  });
  await initProject(root);
  const merged = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(merged.scripts).toMatchObject({ mine: "mine", manifests: expect.any(String) });
  expect(merged.dependencies.kubewright).toBeUndefined();
  expect(JSON.parse(readPristine(openTree(root), "package.json") ?? "").scripts.mine).toBeUndefined();
  expect(snapshot(root)["package-lock.json"]).toBe("644 {}");
});

it("leaves the tree unchanged if package.json is invalid", async () => {
  const root = testDirectory({ "package.json": "{" });
  await expect(initProject(root)).rejects.toThrow("package.json can't be added to");
  expect(snapshot(root)).toEqual({ "package.json": "644 {" });
});
