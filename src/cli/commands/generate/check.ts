import { displayPath } from "../../../diagnostics/index.ts";
import type { GenerateOutcome } from "../../../generate/generate.ts";
import type { CommandResult } from "../../framework/command.ts";
import { result } from "./report.ts";

/** `--check`: writes nothing. If files are stale, it prints a diff and the exit code is 1. */
export async function check(outcome: GenerateOutcome, exitCode: 0 | 1, cwd: string): Promise<CommandResult> {
  const stale = outcome.plan.writes.some((write) => write.action !== "unchanged");
  if (!stale) return result(exitCode, outcome, cwd);
  const { unifiedDiff } = await import("../../../generate/output/diff.ts");
  const output = unifiedDiff(outcome.plan.writes, (path) => displayPath(path, cwd));
  return { ...result(1, outcome, cwd), output };
}
