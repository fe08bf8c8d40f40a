import type { Level } from "../../diagnostics/collector.ts";
import { kstatusLines } from "../../project/kstatus-list.ts";
import { problemError } from "../framework/problems.ts";
import { nearestProject } from "../models/nearest-project.ts";

/** The settings in PROJECT that a run of the generator depends on. */
export interface GeneratorSettings {
  /** Levels of diagnostics, by id. */
  readonly levels?: Readonly<Record<string, Level>>;
  /** The kinds that are scaffolded for kstatus. */
  readonly kstatus?: readonly string[];
}

/**
 * Reads the settings from the nearest PROJECT. Outside of a project, where the command replaces controller-gen, documents that the
 * API server rejects are written with a warning.
 *
 * @throws CliError for unknown ids and levels, and for a list that isn't valid
 */
export async function settingsFor(cwd: string): Promise<GeneratorSettings> {
  const project = nearestProject(cwd);
  if (!project) {
    const { refusedIsWarning } = await import("../../diagnostics/definitions/as-controller-gen.ts");
    return { levels: refusedIsWarning };
  }
  const { text } = project;
  const kinds = kstatusLines(text);
  // Most projects don't configure diagnostics, and parsing YAML takes time.
  if (kinds !== undefined && !text.includes("diagnostics")) return kinds.length === 0 ? {} : { kstatus: kinds };
  const { projectLevels } = await import("../../project/diagnostics.ts");
  const { kstatusKinds } = await import("../../project/project-file.ts");
  const { editDocument } = await import("../../yaml/document.ts");
  const document = editDocument(text);
  const read = projectLevels(document);
  if (!("levels" in read)) throw problemError(read);
  const listed = kstatusKinds(document);
  if ("message" in listed) throw problemError(listed);
  return { levels: read.levels, ...(listed.kinds.size === 0 ? {} : { kstatus: [...listed.kinds] }) };
}
