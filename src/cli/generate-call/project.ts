import type { Level } from "../../diagnostics/collector.ts";
import { problemError } from "../framework/problems.ts";
import { nearestProject } from "../models/nearest-project.ts";

/**
 * Returns the levels of diagnostics from the nearest PROJECT. Outside of a project, where the command replaces controller-gen,
 * documents that the API server rejects are written with a warning.
 *
 * @throws CliError for unknown ids and levels
 */
export async function levelsFor(cwd: string): Promise<Readonly<Record<string, Level>> | undefined> {
  const project = nearestProject(cwd);
  if (!project) {
    const { refusedIsWarning } = await import("../../diagnostics/definitions/as-controller-gen.ts");
    return refusedIsWarning;
  }
  // Most projects don't configure diagnostics, and parsing YAML takes time.
  if (!project.text.includes("diagnostics")) return undefined;
  const { projectLevels } = await import("../../project/diagnostics.ts");
  const read = projectLevels(project.text);
  if ("levels" in read) return read.levels;
  throw problemError(read);
}
