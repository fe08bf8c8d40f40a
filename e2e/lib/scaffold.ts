import { fileURLToPath } from "node:url";
import { type Finished, must, run } from "./process.ts";

/** The built command line of this checkout. */
export const scaffoldBin = fileURLToPath(new URL("../../bin/scaffold.js", import.meta.url));

/** The root of this checkout. */
export const checkout = fileURLToPath(new URL("../..", import.meta.url));

/** Runs `scaffold …` in a directory. Fails the test unless it exits with 0. */
export function scaffold(cwd: string, ...args: string[]): Promise<Finished> {
  return must(process.execPath, [scaffoldBin, ...args], { cwd });
}

/** Runs `scaffold …` in a directory and returns the result. */
export function attemptScaffold(cwd: string, ...args: string[]): Promise<Finished> {
  return run(process.execPath, [scaffoldBin, ...args], { cwd });
}
