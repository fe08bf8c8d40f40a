import type { Project } from "../../../project/project-file.ts";
import type { CommandContext, CommandResult } from "../../command.ts";
import { command } from "../generate.ts";

const helm = "--helm";

/** Returns the command line that {@link generateManifests} corresponds to. */
export function generateLine(project: Project): string {
  return ["scaffold generate", ...(project.helm ? [helm] : [])].join(" ");
}

/** Runs `scaffold generate` with the options of the Makefile, and in Helm projects with `--helm`. */
export function generateManifests(context: CommandContext, project: Project): Promise<CommandResult> {
  return command.run({
    ...context,
    args: [],
    rawArgs: project.helm ? [helm] : [],
    options: { unknownMarkers: "error", reader: "auto", helm: project.helm },
  });
}
