import type { Level } from "../../../diagnostics/collector.ts";
import { nearestProject } from "../../nearest-project.ts";
import { problemError } from "../../problems.ts";

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
