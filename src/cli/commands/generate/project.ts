import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Level } from "../../../diagnostics/collector.ts";
import { problemError } from "../../problems.ts";

/** The nearest PROJECT file: of the directory, or of one above it. */
export function nearestProject(cwd: string): { readonly path: string; readonly text: string } | undefined {
  for (let directory = cwd; ; directory = dirname(directory)) {
    const path = join(directory, "PROJECT");
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) return { path, text: readFileSync(path, "utf8") };
    if (directory === dirname(directory)) return undefined;
  }
}

/** The levels that the nearest PROJECT gives to diagnostics. Throws a work error for ids and levels that there aren't. */
export async function levelsFor(cwd: string): Promise<Readonly<Record<string, Level>> | undefined> {
  const project = nearestProject(cwd);
  // Most projects say nothing, and reading YAML takes its time.
  if (!project?.text.includes("diagnostics")) return undefined;
  const { projectLevels } = await import("../../../project/diagnostics.ts");
  const read = projectLevels(project.text);
  if ("levels" in read) return read.levels;
  throw problemError(read);
}
