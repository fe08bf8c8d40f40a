import process from "node:process";
import { ProblemError } from "../project/problem-error.ts";
import { bundle } from "./bundle.ts";
import { manifests } from "./manifests.ts";
import { callLine, runProgram, start } from "./programs.ts";
import type { Task } from "./task.ts";

/** Regenerates the manifests, formats the code and checks its types. */
export async function checkCode(task: Task): Promise<void> {
  await manifests(task);
  await runProgram(task, "biome", ["format", "--write", "."], { progress: true });
  await runProgram(task, "tsc", ["--noEmit"], { progress: true });
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
