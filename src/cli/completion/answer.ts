import { readProject } from "../../project/project-file.ts";
import type { CommandEntry, CommandResult } from "../framework/command.ts";
import { nearestProject } from "../models/nearest-project.ts";
import { complete } from "./candidates.ts";
import type { KnownResource } from "./values.ts";

/**
 * `scaffold __complete -- <words>`, which the completion scripts call. Prints one line per candidate, with a tab before the
 * description, and `:files` if the shell should complete paths.
 */
export async function answerCompletion(
  words: readonly string[],
  entries: readonly CommandEntry[],
  cwd: string,
): Promise<CommandResult> {
  const { candidates, files } = await complete(words, entries, () => resourcesOf(cwd));
  const lines = candidates.map(({ value, description }) => `${value}\t${description}`);
  return { exitCode: 0, output: [...lines, ...(files ? [":files"] : [])].join("\n"), data: { candidates, files } };
}

/** Returns the resources in the nearest PROJECT. Completion reports no errors, so a missing or invalid file has none. */
function resourcesOf(directory: string): readonly KnownResource[] {
  try {
    const project = readProject(nearestProject(directory)?.text ?? "");
    return "message" in project ? [] : project.resources;
  } catch {
    return [];
  }
}
