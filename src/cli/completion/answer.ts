import { readProject } from "../../project/project-file.ts";
import type { CommandEntry, CommandResult } from "../command.ts";
import { nearestProject } from "../nearest-project.ts";
import { complete } from "./candidates.ts";
import type { KnownResource } from "./values.ts";

/**
 * `scaffold __complete -- <words>`, which the completion scripts ask: a line per candidate, with a tab before its
 * description; `:files` where the shell should offer paths.
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

/** What the nearest PROJECT above lists; nothing where there is none or it can't be read: completion never complains. */
function resourcesOf(directory: string): readonly KnownResource[] {
  try {
    const project = readProject(nearestProject(directory)?.text ?? "");
    return "message" in project ? [] : project.resources;
  } catch {
    return [];
  }
}
