// The main job, step by step: `npm run quickstart [-- DIRECTORY]`. Scaffolds the Game operator, generates its manifests,
// type-checks and tests it, runs it on the embedded API server, and shows the objects that it created. Needs only Node and npm.
// JavaScript with checked types, because it installs packages, or calls scripts that do.
// @ts-check
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { install, must, root, since } from "./lib/run.mjs";

// All test environments of this process and its children.
process.env.KUBEWRIGHT_ENVTEST_ENGINE = "embedded";
const started = performance.now();
const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ["npm"];
const scaffold = [process.execPath, join(root, "bin/scaffold.js")];
const crdPath = "config/crd/bases/myapp.qingwave.github.io_games.yaml";
let count = 0;

/**
 * Runs one step and shows it with its time. Its output is only shown if it fails.
 *
 * @template T
 * @param {string} name
 * @param {() => T | Promise<T>} work
 */
async function step(name, work) {
  const start = performance.now();
  process.stdout.write(`${String(++count).padStart(2)}. ${name} … `);
  try {
    const result = await work();
    process.stdout.write(`${since(start)}\n`);
    return result;
  } catch (error) {
    process.stdout.write(`failed after ${since(start)}\n\n`);
    throw error;
  }
}

/**
 * Returns the project's directory: the named one, if it is empty, or a new temporary one.
 *
 * @param {string | undefined} named
 */
function target(named) {
  if (!named) {
    const directory = join(mkdtempSync(join(tmpdir(), "kubewright-quickstart-")), "mygame");
    mkdirSync(directory);
    return directory;
  }
  const directory = resolve(named);
  mkdirSync(directory, { recursive: true });
  if (readdirSync(directory).length > 0) {
    throw new Error(`${directory} is not empty: name a new directory, as in: npm run quickstart -- ../mygame`);
  }
  return directory;
}

/**
 * Lists the files of a directory as an indented tree.
 *
 * @param {string} directory
 * @returns {Generator<string>}
 */
function* tree(directory, indent = "") {
  const entries = readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => !["node_modules", "dist", "vendor", ".kubewright"].includes(name))
    .sort((a, b) => a.name.localeCompare(b.name));
  for (const entry of entries) {
    yield `${indent}${entry.name}${entry.isDirectory() ? "/" : ""}`;
    if (entry.isDirectory()) yield* tree(join(directory, entry.name), `${indent}  `);
  }
}

/** @param {string} title */
const section = (title) => process.stdout.write(`\n── ${title} ${"─".repeat(Math.max(0, 76 - title.length))}\n`);

/**
 * Runs the operator against a new API server, and returns the reconciled object and its children as text.
 *
 * @param {string} project
 */
async function runOperator(project) {
  const places = [".", "config/crd/bases", "config/samples/myapp_v1_game.yaml"].map((path) => join(project, path));
  const { stdout } = await must(process.execPath, ["--import", "tsx", "scripts/observe.ts", ...places]);
  return stdout;
}

async function main() {
  const project = target(process.argv[2]);
  process.stdout.write(`The Game operator, in ${project}\n\n`);
  /**
   * @param {readonly string[]} program
   * @param {string[]} args
   */
  const inProject = ([command = "", ...first], ...args) => must(command, [...first, ...args], { cwd: project });

  await step("install what kubewright is built with (npm ci)", () => install());
  await step("build kubewright", () => must(process.execPath, [join(root, "scripts/build.mjs")]));
  await step("scaffold init --domain qingwave.github.io --repo qingwave.github.io/mygame", () =>
    inProject(scaffold, "init", "--domain", "qingwave.github.io", "--repo", "qingwave.github.io/mygame"),
  );
  await step("scaffold create api --group myapp --version v1 --kind Game", () =>
    inProject(scaffold, "create", "api", "--group", "myapp", "--version", "v1", "--kind", "Game"),
  );
  await step("write the types and the controller (examples/game)", () =>
    cpSync(join(root, "examples/game"), project, { recursive: true }),
  );
  await step("npm run manifests", () => inProject(npm, "run", "manifests"));
  await step("npm run typecheck", () => inProject(npm, "run", "typecheck"));
  await step("npm test", () => inProject(npm, "test"));
  await step("npm run build", () => inProject(npm, "run", "build"));

  const seen = await step("run the operator against the embedded API server", () => runOperator(project));

  section("the project");
  process.stdout.write(`${[...tree(project)].join("\n")}\n`);
  section(crdPath);
  process.stdout.write(readFileSync(join(project, crdPath), "utf8"));
  section("objects that the operator created for the sample");
  process.stdout.write(seen);
  section("next steps");
  const there = relative(process.cwd(), project).startsWith("..") ? project : relative(process.cwd(), project);
  process.stdout.write(`cd ${there}
$EDITOR api/v1/game-types.ts src/controller/game-controller.ts
npm run manifests        # after each change of types or markers
npm test
npm run install:crds     # the CRD, into the cluster of your kubeconfig
npm run run              # the operator, on this machine

Done in ${since(started)}.
`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode ||= 1;
}
