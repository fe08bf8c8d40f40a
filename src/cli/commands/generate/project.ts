import type { Level } from "../../../diagnostics/collector.ts";
import { nearestProject } from "../../nearest-project.ts";
import { problemError } from "../../problems.ts";

/**
 * The levels of diagnostics: those that the nearest PROJECT gives. Outside of a project, where the command is used like controller-gen,
 * what the API server refuses is written with a warning. Throws a work error for ids and levels that there aren't.
 */
export async function levelsFor(cwd: string): Promise<Readonly<Record<string, Level>> | undefined> {
  const project = nearestProject(cwd);
  if (!project) {
    const { refusedIsWarning } = await import("../../../diagnostics/catalogue/as-controller-gen.ts");
    return refusedIsWarning;
  }
  // Most projects say nothing, and reading YAML takes its time.
  if (!project.text.includes("diagnostics")) return undefined;
  const { projectLevels } = await import("../../../project/diagnostics.ts");
  const read = projectLevels(project.text);
  if ("levels" in read) return read.levels;
  throw problemError(read);
}
