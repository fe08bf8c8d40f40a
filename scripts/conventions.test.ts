// What a linter doesn't know of: the conventions of this repository that can be read off its text.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectTools } from "../src/scaffold/versions.ts";

const root = join(import.meta.dirname, "..");
const notOurs = /(^|\/)(node_modules|dist|testdata)(\/|$)|^runtime\/src\/api\/[^/]+\//;
const tops = ["bin", "src", "runtime", "apiserver", "dev-ui", "e2e", "scripts", "conformance", "bench"];
const files = tops.flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, encoding: "utf8" })
    .map((path) => `${top}/${path.replaceAll("\\", "/")}`)
    .filter((path) => !notOurs.test(path)),
);
const sources = files.filter((path) => /^(src|runtime\/src|runtime\/bin|bin)\/.*\.[jt]s$/.test(path));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

it("finds sources", () => expect(sources.length).toBeGreaterThan(20));

it("keeps files small", () => {
  const code = files.filter((path) => /\.([jt]sx?|mjs|go)$/.test(path));
  expect(code.length).toBeGreaterThan(sources.length);
  expect(code.filter((path) => read(path).trimEnd().split("\n").length > 400)).toEqual([]);
});

it("names unit tests after their source, or <feature>.integration", () => {
  const kinds = /\.(attack|envtest|full|go|integration)(?=\.)/;
  const unit = files.filter((path) => /^(src|runtime\/src)\/.*\.test\.ts$/.test(path) && !kinds.test(path));
  const isNamed = (path: string) => {
    const [, folder = "", name = ""] = /^(.*)\/([^/.]+)[^/]*$/.exec(path) ?? [];
    return (
      files.some(
        (file) =>
          file === `${folder}/${name}.ts` ||
          file.startsWith(`${folder}/${name}/`) ||
          file.startsWith(`${folder}/${name}.fixture`),
      ) || folder.endsWith(`/${name}`)
    );
  };
  expect(unit.filter((path) => !isNamed(path))).toEqual([]);
});

it("has an index.ts in the runtime only for the entry points of the package", () => {
  const { exports } = JSON.parse(read("runtime/package.json")) as {
    exports: Record<string, { types: string } | string>;
  };
  const entries = Object.values(exports).flatMap((entry) => (typeof entry === "string" ? [] : [entry.types]));
  const wanted = entries.map((path) => path.replace("./dist/", "runtime/src/").replace(".d.ts", ".ts"));
  const found = files.filter((path) => /^runtime\/src\/(.*\/)?index\.ts$/.test(path));
  expect(found.filter((path) => !wanted.includes(path))).toEqual([]);
});

it("ends the process of the command line in one place", () => {
  // Tests may hold the text of other programs.
  const ours = sources.filter((path) => path.startsWith("src/") && !path.endsWith(".test.ts"));
  const ending = ours.filter((path) => /process\.exit\(/.test(read(path)));
  expect(ending.length).toBeLessThanOrEqual(1);
});

it("leaves no test switched off and nothing half done", () => {
  const ours = files.filter((path) => /\.([jt]sx?|mjs)$/.test(path));
  const word = ["TO", "DO|FIX", "ME|XXX"].join("");
  const marks = new RegExp(`\\b(it|test|describe)\\.(skip|only|todo)\\(|//\\s*(${word})\\b`);
  expect(ours.filter((path) => marks.test(read(path)))).toEqual([]);
});

const locked = ["", "docs/", "scripts/release/", "e2e/release/"];

it("pins every dependency to one version, on both floors of the range", () => {
  for (const path of [...locked, "runtime/", "apiserver/", "dev-ui/"]) {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(read(`${path}package.json`));
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect(`${name}@${range}`).toMatch(/@\d+\.\d+\.\d+$/);
    }
  }
});

it("type-checks with the compiler of scaffolded projects, which is faster than the one that the generator uses", () => {
  const { devDependencies } = JSON.parse(read("package.json"));
  expect(devDependencies["typescript-native"]).toBe(`npm:typescript@${projectTools.typescript}`);
});

it("records no download address in a lock file", () => {
  for (const path of locked) expect(read(`${path}package-lock.json`), path).not.toMatch(/"resolved": "https?:/);
});

it("combines abort signals by linkSignals: AbortSignal.any keeps signals with listeners as long as their sources", () => {
  // Downloads end with their process.
  const lasting = sources.filter((path) => /^runtime\/src\/(?!envtest\/).*(?<!\.test)\.ts$/.test(path));
  expect(lasting.filter((path) => /AbortSignal\.any\(/.test(read(path)))).toEqual([]);
});
