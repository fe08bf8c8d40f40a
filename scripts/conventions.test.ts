// Conventions of this repository that a program can check, but no linter.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectTools } from "../src/scaffold/parts/versions.ts";

const root = join(import.meta.dirname, "..");
const notOurs = /(^|\/)(node_modules|dist|testdata)(\/|$)|^packages\/runtime\/src\/api\/[^/]+\//;
const tops = ["bin", "src", "packages", "e2e", "scripts", "conformance", "bench"];
const files = tops.flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, encoding: "utf8" })
    .map((path) => `${top}/${path.replaceAll("\\", "/")}`)
    .filter((path) => !notOurs.test(path)),
);
const sources = files.filter((path) =>
  /^(src|packages\/(runtime|cel)\/src|packages\/runtime\/bin|bin)\/.*\.[jt]s$/.test(path),
);
const read = (path: string): string => readFileSync(join(root, path), "utf8");

it("the tests below find sources", () => expect(sources.length).toBeGreaterThan(20));

it("files have at most 400 lines", () => {
  const code = files.filter((path) => /\.([jt]sx?|mjs|go)$/.test(path));
  expect(code.length).toBeGreaterThan(sources.length);
  expect(code.filter((path) => read(path).trimEnd().split("\n").length > 400)).toEqual([]);
});

it("unit tests are named after their source file, or <feature>.integration", () => {
  const kinds = /\.(attack|envtest|full|go|integration|kubectl)(?=\.)/;
  const unit = files.filter(
    (path) => /^(src|packages\/(runtime|cel)\/src)\/.*\.test\.ts$/.test(path) && !kinds.test(path),
  );
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

it.each(["apiserver", "cel", "runtime"])("only entry points of packages/%s have an index.ts", (name) => {
  const { exports } = JSON.parse(read(`packages/${name}/package.json`)) as {
    exports: Record<string, { types: string } | string>;
  };
  const entries = Object.values(exports).flatMap((entry) => (typeof entry === "string" ? [] : [entry.types]));
  const wanted = entries.map((path) => path.replace("./dist/", `packages/${name}/src/`).replace(".d.ts", ".ts"));
  const indexes = files.filter((path) => path.startsWith(`packages/${name}/src/`) && path.endsWith("/index.ts"));
  expect(indexes.filter((path) => !wanted.includes(path))).toEqual([]);
});

it("only one module of the command line calls process.exit", () => {
  // Tests may contain the text of other programs.
  const ours = sources.filter((path) => path.startsWith("src/") && !path.endsWith(".test.ts"));
  const ending = ours.filter((path) => /process\.exit\(/.test(read(path)));
  expect(ending.length).toBeLessThanOrEqual(1);
});

it("no test is skipped, and no comment marks unfinished work", () => {
  const ours = files.filter((path) => /\.([jt]sx?|mjs)$/.test(path));
  const word = ["TO", "DO|FIX", "ME|XXX"].join("");
  const marks = new RegExp(`\\b(it|test|describe)\\.(skip|only|todo)\\(|//\\s*(${word})\\b`);
  expect(ours.filter((path) => marks.test(read(path)))).toEqual([]);
});

const locked = ["", "docs/", "scripts/release/", "e2e/release/"];

const tests = files.filter((path) => path.endsWith(".test.ts"));

it("no test has a limit of its own that a busy machine exceeds: those of vitest.config.ts apply", () => {
  // The formatter puts the limit on a line of its own if the name of the test doesn't fit on that of the call.
  const own = /^\s*\},(?: |\n\s*)(\d[\d_]*),?\s*\);$|^\s*(?:it|test)\b.*\{ timeout: (\d[\d_]*) \}, /gm;
  const limits = (path: string): number[] =>
    [...read(path).matchAll(own)]
      .map(([, last, option]) => Number((last ?? option ?? "").replaceAll("_", "")))
      // Shorter ones are those of timers.
      .filter((limit) => limit > 5000 && limit < 5 * 60_000);
  expect(tests.length).toBeGreaterThan(500);
  expect(tests.filter((path) => limits(path).length > 0)).toEqual([]);
});

it("calls of vi.waitFor have a timeout, because the default is a second", () => {
  const calls = (path: string): string[] =>
    read(path)
      .split(/\bvi\.wait(?:For|Until)\(/)
      .slice(1);
  const limitless = (path: string): boolean =>
    calls(path).some((call) => !/timeout: |, 60_000\)/.test(call.slice(0, 400)));
  expect(tests.filter(limitless)).toEqual([]);
});

it("the types of scripts in JavaScript are checked, and their first lines give the reason for JavaScript", () => {
  const scripts = files.filter((path) => /^scripts\/.*\.[cm]?js$/.test(path));
  expect(scripts.length).toBeGreaterThan(10);
  const head = /^(\/\/ .*\n)*\/\/ JavaScript with checked types, (because|as) .*\n\/\/ @ts-check\n/;
  expect(scripts.filter((path) => !head.test(read(path)))).toEqual([]);
});

it("every dependency is pinned to one version", () => {
  const packages = ["runtime", "apiserver", "cel", "create-kubewright", "dashboard"].map((name) => `packages/${name}/`);
  for (const path of [...locked, ...packages]) {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(read(`${path}package.json`));
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies })) {
      // create-kubewright accepts the unpublished versions of kubewright, too: packages of a checkout fit together.
      expect(`${name}@${range}`).toMatch(name === "kubewright" ? /@\^\d+\.\d+\.\d+-0$/ : /@\d+\.\d+\.\d+$/);
    }
  }
});

it("the type check uses the fast compiler of scaffolded projects", () => {
  const { devDependencies } = JSON.parse(read("package.json"));
  expect(devDependencies["typescript-native"]).toBe(`npm:typescript@${projectTools.typescript}`);
});

it("scaffolded projects pin the version of Vite that is tested here", () => {
  const { packages } = JSON.parse(read("package-lock.json"));
  expect(projectTools.vite).toBe(packages["node_modules/vite"].version);
});

it("lock files contain no download addresses", () => {
  for (const path of locked) expect(read(`${path}package-lock.json`), path).not.toMatch(/"resolved": "https?:/);
});

it("the runtime uses linkSignals instead of AbortSignal.any, which leaks signals with listeners", () => {
  // envtest is excluded, because its signals end with the process.
  const lasting = sources.filter((path) => /^packages\/runtime\/src\/(?!envtest\/).*(?<!\.test)\.ts$/.test(path));
  expect(lasting.filter((path) => /AbortSignal\.any\(/.test(read(path)))).toEqual([]);
});
