import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { applyPlan } from "../files/apply.ts";
import { plannedTree } from "../files/memory-tree.ts";
import type { Plan } from "../files/operation.ts";
import { openTree } from "../files/tree.ts";
import type { Format } from "../format/format.ts";
import { formatPlan } from "../format/format-plan.ts";
import { projectFormat } from "../format/project-format.ts";

const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url));

/** Installs packages of this repository into a project. */
export function installPackages(root: string, ...names: readonly string[]): void {
  for (const name of names) {
    const place = join(root, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(modules, name), place);
  }
}

/** Returns the formatter that a project has. A failure fails the test. */
export function formatOf(root: string, manifest = openTree(root).readText("package.json")): Format {
  return projectFormat({ root, manifest, env: process.env }, (line) => {
    throw new Error(line);
  });
}

/** Applies a plan as commands do: formatted, if the project has a formatter. */
export async function applyFormatted(root: string, plan: Plan): Promise<void> {
  const tree = openTree(root);
  await applyPlan(await formatPlan(plan, tree, formatOf(root, plannedTree(tree, plan).readText("package.json"))));
}

const require = createRequire(import.meta.url);

/** Runs the program of a package in a project. Returns its output if it fails, otherwise an empty text. */
function failureOf(root: string, name: string, program: string, ...args: readonly string[]): string {
  const path = join(dirname(require.resolve(`${name}/package.json`)), program);
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], { cwd: root, encoding: "utf8" });
  return status === 0 ? "" : `${stdout}${stderr}`;
}

/** Returns Biome's output for a project; an empty text if it finds nothing. */
export function lint(root: string): string {
  return failureOf(root, "@biomejs/biome", "bin/biome", "check", "--colors=off", ".");
}

/** Checks or formats the code of a project with Prettier. Returns an empty text if it succeeds. */
export function prettier(root: string, way: "--check" | "--write"): string {
  const places = ["api", "src", "test", "*.json"];
  return failureOf(root, "prettier", "bin/prettier.cjs", way, "--no-error-on-unmatched-pattern", ...places);
}

/** Replaces Biome by Prettier in a scaffolded project, as its author would. */
export function usePrettier(root: string, options: object): void {
  installPackages(root, "prettier");
  const manifest = join(root, "package.json");
  const text = readFileSync(manifest, "utf8");
  writeFileSync(manifest, text.replace('"biome format --write ."', '"prettier --write ."'));
  writeFileSync(join(root, ".prettierrc"), JSON.stringify(options));
  const failure = prettier(root, "--write");
  if (failure !== "") throw new Error(failure);
}
