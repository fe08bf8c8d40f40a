import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ReflectionKind } from "typedoc";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { commands } from "../../../src/cli/commands.ts";
import { type Example, examplesOf } from "../../../src/cli/examples.ts";
import type { CommandEntry } from "../../../src/cli/framework/command.ts";
import { commandProgram } from "../../../src/cli/framework/program.ts";
import { root } from "../../lib/run.mjs";
import { makeTargets, makeTargetsReference } from "./make-targets.ts";
import { managerFlagsReference } from "./manager-flags.ts";
import { generatedPages, writtenPages } from "./pages.ts";
import { gapsInComments } from "./runtime/completeness.ts";
import { runtimeApi } from "./runtime/model.ts";

it("docs/reference is up to date", async () => {
  const generated = await generatedPages();
  const written = writtenPages(generated);
  const paths = [...new Set([...written.keys(), ...generated.keys()])];
  const stale = paths.filter((path) => ofEverySystem(written.get(path)) !== ofEverySystem(generated.get(path)));
  expect(stale, "run `npm run docs:reference`").toEqual([]);
});

// In this file, because the pages are generated from the same API, which takes seconds to read.
it("each export of the runtime has a complete comment: summary, parameters, result, errors and units", async () => {
  expect(gapsInComments(await runtimeApi())).toEqual([]);
});

it("lists the members of each interface and class, and links each type of Kubernetes", async () => {
  const { modules } = await runtimeApi();
  const exported = modules.flatMap(({ children = [] }) => children);
  const types = exported.filter((declaration) => declaration.kindOf([ReflectionKind.Interface, ReflectionKind.Class]));
  expect(types.length).toBeGreaterThan(100);
  expect(types.filter(({ children = [] }) => children.length === 0).map(({ name }) => name)).toEqual([]);
  const page = (await generatedPages()).get("runtime/kinds.md");
  expect(page).toContain("**userInfo?** ([`UserInfo`](../runtime.md#types-of-kubernetes))");
});

/** Removes the metrics of the process that exist only on Linux. */
function ofEverySystem(text: string | undefined): string | undefined {
  return process.platform === "linux" ? text : text?.replace(/^\| `process_.*\n/gm, "");
}

it("make-targets.md lists each target of the Makefile", () => {
  const targets = makeTargets();
  expect(targets.length).toBeGreaterThan(20);
  const page = makeTargetsReference();
  expect(targets.filter((name) => !page.includes(`| \`make ${name}\` |`))).toEqual([]);
});

it("manager-flags.md lists each environment variable that a manager reads", () => {
  const runtime = join(root, "packages/runtime/src");
  // The bundle and `scaffold dev` set those of kubewright. Users don't.
  const variables = variablesIn(runtime, /^(envtest|testing|simulation|faults)\//, /^(KUBEWRIGHT_|HOME$)/);
  expect(variables.length).toBeGreaterThan(8);
  const page = managerFlagsReference();
  expect(variables.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it("cli.md lists each environment variable that commands read", () => {
  // Operating systems set these, and `ENABLE_WEBHOOKS` is in code that is scaffolded.
  const variables = variablesIn(
    join(root, "src"),
    /^generate\/|test-support\//,
    /^(KUBEWRIGHT_|HOME$|PATHEXT$|PWD$|ENABLE_WEBHOOKS$)/,
  );
  expect(variables.length).toBeGreaterThan(15);
  const page = readFileSync(join(root, "docs/reference/cli.md"), "utf8");
  expect(variables.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
});

/** Returns the environment variables that modules read by their uppercase names. */
function variablesIn(directory: string, otherPaths: RegExp, internal: RegExp): string[] {
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && !/\.(test|fixture)\.ts$|(^|\/)testdata\//.test(path))
    .filter((path) => !otherPaths.test(path));
  const names = files.flatMap((path) => {
    const reads = /\b(?:env|environment|variables)\??\.([A-Z][A-Z_]+)\b|\bneeded\("([A-Z_]+)"\)/g;
    return [...readFileSync(join(directory, path), "utf8").matchAll(reads)].map(([, a, b]) => a ?? b ?? "");
  });
  return [...new Set(names)].filter((name) => !internal.test(name)).sort();
}

it("apiserver.md lists each flag of the command", () => {
  const source = readFileSync(join(root, "packages/apiserver/src/cli/main.ts"), "utf8");
  const flags = [...source.matchAll(/"(--[a-z]+)(?: <[a-z]+>)?"/g)].map(([, flag = ""]) => flag);
  expect(flags.length).toBeGreaterThan(6);
  const page = readFileSync(join(root, "docs/reference/apiserver.md"), "utf8");
  expect(flags.filter((flag) => !new RegExp(`^\\| \`${flag}[ \`]`, "m").test(page))).toEqual([]);
});

it("apiserver.md names only files of tests that exist", () => {
  const page = readFileSync(join(root, "docs/reference/apiserver.md"), "utf8");
  const named = [...page.matchAll(/`([\w/*.-]+\.test\.ts)`/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(8);
  const below = (directory: string): string[] =>
    readdirSync(join(root, directory), { recursive: true, encoding: "utf8" });
  const files = [
    ...below("packages/apiserver/src"),
    ...below("packages/cel/src").map((path) => `packages/cel/src/${path}`),
    ...below("conformance").map((path) => `conformance/${path}`),
  ];
  const exists = (path: string): boolean => {
    const pattern = new RegExp(`^${path.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}$`);
    return files.some((file) => pattern.test(file));
  };
  expect(named.filter((path) => !exists(path))).toEqual([]);
});

it("simulated-workloads.md lists each failure of a Pod, and each annotation", () => {
  const source = readFileSync(join(root, "packages/apiserver/src/controllers/workloads/pod/simulation.ts"), "utf8");
  const [, list = ""] = /const failures: readonly string\[\] = \[(.*)\];/.exec(source) ?? [];
  const failures = [...list.matchAll(/"([a-z-]+)"/g)].map(([, name = ""]) => `| \`${name}\` |`);
  const annotations = [...source.matchAll(/^ {4}case "([a-z-]+)":/gm)].map(
    ([, name = ""]) => `| \`apiserver.kubewright.dev/${name}\` |`,
  );
  expect([failures.length, annotations.length]).toEqual([7, 7]);
  const page = readFileSync(join(root, "docs/reference/simulated-workloads.md"), "utf8");
  expect([...failures, ...annotations].filter((row) => !page.includes(row))).toEqual([]);
});

it("project-file.md lists each key in the PROJECT files of golden projects", () => {
  const golden = join(root, "testdata/projects");
  const files = readdirSync(golden).map((name) => join(golden, name, "PROJECT"));
  const keys = files.filter((file) => existsSync(file)).flatMap((file) => keysOf(parse(readFileSync(file, "utf8"))));
  expect(new Set(keys).size).toBeGreaterThan(20);
  const page = readFileSync(join(root, "docs/reference/project-file.md"), "utf8");
  expect([...new Set(keys)].filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
});

/** Returns the paths of keys relative to their table: the top level, an entry of `resources`, or the settings of plugins. */
function keysOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => keysOf(each));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "plugins") return [key, ...Object.values(inner as object).flatMap((settings) => Object.keys(settings))];
    const at = path === "" ? key : `${path}.${key}`;
    const isMap = typeof inner === "object" && inner !== null && !Array.isArray(inner);
    // A map has a row for each key, and a list has one for its own key.
    return isMap ? keysOf(inner, at) : [at, ...keysOf(inner).filter((each) => key === "resources" || each === "name")];
  });
}

const examples = commands.flatMap((entry) => examplesOf(entry).map((example) => ({ entry, example, ...example })));

it.each(examples)("the command accepts $line", async ({ entry, example }) => {
  let parsed = false;
  const onParsed = () => {
    parsed = true;
  };
  const program = await commandProgram(entry, await entry.load(), {}, { onHelp: () => undefined, onParsed });
  await program.parse(argumentsOf(entry, example));
  expect(parsed).toBe(true);
});

/** Returns the arguments of an example after the command's words, as a shell would split them. */
function argumentsOf({ words }: CommandEntry, { line }: Example): string[] {
  const call = /\b(?:kubewright@latest|scaffold) (.*)/.exec(line)?.[1] ?? "";
  return call
    .split(" ")
    .slice(words.length)
    .map((word) => word.replaceAll('"', ""));
}
