import { fileURLToPath } from "node:url";
import { type Finished, must, run } from "./process.ts";

/** The built command line of this checkout. */
export const scaffoldBin = fileURLToPath(new URL("../../bin/scaffold.js", import.meta.url));

/** The top of this checkout. */
export const checkout = fileURLToPath(new URL("../..", import.meta.url));

/** Runs `scaffold …` in a directory; fails the test unless it ends with 0. */
export function scaffold(cwd: string, ...args: string[]): Promise<Finished> {
  return must(process.execPath, [scaffoldBin, ...args], { cwd });
}

/** Runs `scaffold …` in a directory and gives how it ended. */
export function attemptScaffold(cwd: string, ...args: string[]): Promise<Finished> {
  return run(process.execPath, [scaffoldBin, ...args], { cwd });
}
