import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type FormatterName, formatterName } from "../project/formatter-name.ts";
import { ProblemError } from "../project/problem-error.ts";
import { bundle } from "./bundle.ts";
import { manifests } from "./manifests.ts";
import { callLine, checkEnd, runProgram, start } from "./programs.ts";
import type { Task } from "./task.ts";
import { filesWithTypeErrors } from "./type-errors.ts";

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
  const args = ["--noEmit"];
  if (task.calls !== undefined) {
    task.calls.push(callLine(["tsc", ...args]));
    return;
  }
  // A program whose output is read writes no colors of its own accord.
  const colors = task.color ? ["--pretty"] : [];
  const end = await start(task, "tsc", [...args, ...colors], { capture: true, progress: true });
  const files = filesWithTypeErrors(end.stdout);
  if (end.failed && files.length > 0 && files.every((file) => testFile.test(file))) {
    task.note("only tests have errors, so the manager is built; npm run typecheck and CI fail until they are fixed");
  } else checkEnd(end, "tsc", args);
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
