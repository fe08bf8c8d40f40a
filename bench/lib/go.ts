// Builds the reference programs in Go.
import { spawnSync } from "node:child_process";
import { run } from "../../scripts/lib/run.mjs";

export function hasGo(): boolean {
  return spawnSync("go", ["version"]).status === 0;
}

/**
 * Builds a program.
 *
 * @param directory - the directory of the Go module
 * @param binary - path of the program
 * @returns the path of the program; `undefined` if Go isn't installed
 */
export async function buildGo(directory: string, binary: string, program = "."): Promise<string | undefined> {
  if (!hasGo()) return undefined;
  const { code, output } = await run("go", ["build", "-o", binary, program], { cwd: directory });
  if (code !== 0) throw new Error(`go build ended with ${code}\n${output}`);
  return binary;
}
