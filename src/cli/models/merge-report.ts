import type { MergePlan } from "../../scaffold/commands/upgrade.ts";
import type { CommandContext, CommandResult } from "../framework/command.ts";
import { changesText } from "../framework/report.ts";

/** Returns the result of a command that merges. If there are conflicts, it lists the files, and the exit code is 1. */
export function conflictsOf(
  { conflicts }: MergePlan,
  done: CommandResult,
  { terminal, globals }: Pick<CommandContext, "terminal" | "globals">,
): CommandResult {
  if (conflicts.length === 0) return done;
  const diagnostics = conflicts.map((file) => ({
    id: "merge-conflict",
    severity: "error" as const,
    message: `${file}: you and the templates changed the same lines; both are between <<<<<<< and >>>>>>>`,
    file,
    line: 0,
    column: 0,
  }));
  for (const { message } of diagnostics) terminal.warn(message);
  if (globals.dryRun) return { ...done, diagnostics };
  const after = "resolve the conflicts between <<<<<<< and >>>>>>>, then run make manifests (or npm run manifests)";
  const files = `${conflicts.length} ${conflicts.length === 1 ? "file" : "files"}`;
  const message = `Conflicts in ${files}. Next: ${after}`;
  return { ...done, exitCode: 1, diagnostics, output: changesText(done.operations ?? [], message, globals) };
}
