import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type FormatterName, formatterName } from "../project/formatter-name.ts";
import { ProblemError } from "../project/problem-error.ts";
import { bundle } from "./bundle.ts";
import { manifests } from "./manifests.ts";
import { callLine, runProgram, start } from "./programs.ts";
import type { Task } from "./task.ts";

const formatting: Readonly<Record<FormatterName, readonly string[]>> = {
  biome: ["format", "--write", "."],
  prettier: ["--write", "."],
};

/** Regenerates the manifests, formats the code with the project's formatter, and checks its types. */
export async function checkCode(task: Task): Promise<void> {
  await manifests(task);
  const manifest = join(task.root, "package.json");
  const formatter = formatterName(existsSync(manifest) ? readFileSync(manifest, "utf8") : undefined);
  if (formatter !== undefined) await runProgram(task, formatter, formatting[formatter], { progress: true });
  await checkTypes(task);
}

/** Tests and simulations of the scaffold's layout. The manager contains none of them. */
const testFile = /^test\/|\.(test|simulation|e2e)\.ts$/;

/**
 * Checks the types of all code. As in `scaffold dev`, errors in tests are shown, and prevent nothing: a field that has become
 * required is missing in their samples first.
 *
 * @throws ProblemError if other files have errors
 */
async function checkTypes(task: Task): Promise<void> {
  try {
    await runProgram(task, "tsc", ["--noEmit"], { progress: true });
  } catch (error) {
    if (!(error instanceof ProblemError && error.id === "program-failed")) throw error;
    // The first call prints the errors, with colors in a terminal. This one returns them in a form that can be read.
    const { stdout } = await start(task, "tsc", ["--noEmit", "--pretty", "false"], { capture: true });
    const errors = [...stdout.matchAll(/^(?:(\S.*?)\(\d+,\d+\): )?error TS\d+: /gm)].map(([, file = ""]) => file);
    if (errors.length === 0 || !errors.every((file) => testFile.test(file))) throw error;
    task.note("only tests have errors, so the manager is built; npm run typecheck and CI fail until they are fixed");
  }
}

/** `scaffold build`. */
export async function build(task: Task): Promise<void> {
  if (!task.flags.bundleOnly) await checkCode(task);
  await bundle(task);
}

/** `scaffold run`. */
export async function run(task: Task): Promise<void> {
  await build(task);
  const args = ["dist/main.js", ...task.args];
  if (task.calls !== undefined) {
    task.calls.push(callLine(["node", ...args]));
    return;
  }
  const { failed, how } = await start(task, process.execPath, args);
  if (failed) throw new ProblemError("run-failed", `the manager failed with ${how}`);
}
