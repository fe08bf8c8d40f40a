import type { UpgradePlan } from "../scaffold/upgrade.ts";
import type { CommandResult } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** The result of a command that merges: where it could not, the files are named and the exit code is 1. */
export function conflictsOf(
  { conflicts }: UpgradePlan,
  done: CommandResult,
  { terminal, dryRun }: { readonly terminal: Terminal; readonly dryRun: boolean },
): CommandResult {
  if (conflicts.length === 0) return done;
  const diagnostics = conflicts.map((file) => ({
    id: "merge-conflict",
    severity: "error" as const,
    message: `${file}: you and the templates have changed the same lines; both are there between <<<<<<< and >>>>>>>`,
    file,
    line: 0,
    column: 0,
  }));
  for (const { message } of diagnostics) terminal.warn(message);
  if (dryRun) return { ...done, diagnostics };
  const after = "choose what stays between <<<<<<< and >>>>>>>, then make manifests (or npm run manifests)";
  const files = `${conflicts.length} ${conflicts.length === 1 ? "file" : "files"}`;
  return { ...done, exitCode: 1, diagnostics, output: `${files} to merge by hand. Next: ${after}` };
}
