import { createRequire } from "node:module";
import { join } from "node:path";
import type { Formatted, RunFormatter } from "./format.ts";
import { runFormatter } from "./run-formatter.ts";

/** Number of processes at the same time. Each formats one file in about 10 ms. */
const parallel = 4;

/** Formats texts with Biome. `check` also sorts the imports if the project's configuration enables it. */
export const runBiome: RunFormatter = async (files, { directory, ...project }) => {
  const [program, ...first] = programOf(directory);
  const results: Formatted[] = [];
  const queue = files.entries();
  const work = async () => {
    for (const [index, { path, text }] of queue) {
      const args = [
        ...first,
        "check",
        "--write",
        "--linter-enabled=false",
        "--colors=off",
        `--stdin-file-path=${path}`,
      ];
      const { stdout, stderr, failure } = await runFormatter(program ?? "", args, text, project);
      results[index] = failure === undefined ? { text: stdout } : { problem: problemIn(stderr) ?? failure };
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return results;
};

/** Returns the program of the installed package and its first arguments. Node's start would take longer than formatting. */
function programOf(directory: string): string[] {
  const require = createRequire(join(directory, "package.json"));
  const name = `@biomejs/cli-${process.platform}-${process.arch}`;
  const binary = process.platform === "win32" ? "biome.exe" : "biome";
  const programs = [name, `${name}-musl`].flatMap((each) => {
    try {
      return [require.resolve(`${each}/${binary}`)];
    } catch {
      return [];
    }
  });
  // With several binaries, the package's script finds out which one runs here.
  return programs.length === 1 ? programs : [process.execPath, join(directory, "bin/biome")];
}

/** Returns the first problem in Biome's messages. */
function problemIn(messages: string): string | undefined {
  const lines = messages.split("\n").map((line) => line.trim());
  return lines.find((line) => line.startsWith("× "))?.slice(2);
}
