import { displayPath } from "../../../diagnostics/index.ts";
import type { GenerateOutcome } from "../../../generate/generate.ts";
import { applyPlan } from "../../../generate/output/apply.ts";
import type { PlannedWrite } from "../../../generate/output/plan.ts";
import { WriteError } from "../../../generate/output/write-error.ts";
import { systemHint } from "../../../project/system-hint.ts";
import { printable } from "../../../text/shown.ts";
import { workError } from "../../framework/errors.ts";

/**
 * Writes the generated files that changed, all or none.
 *
 * @throws CliError if the operating system refuses a write
 */
export function write({ plan }: GenerateOutcome, cwd: string): void {
  writeAll(plan.writes, cwd);
}

/**
 * Writes files, all or none.
 *
 * @throws CliError if the operating system refuses a write
 */
export function writeAll(writes: readonly PlannedWrite[], cwd: string): void {
  try {
    applyPlan(writes);
  } catch (error) {
    if (!(error instanceof WriteError)) throw error;
    const { what, path, code } = error;
    const place = printable(displayPath(path, cwd));
    const directory = "set another directory with output:dir=… or output:<generator>:dir=…";
    const hint = [systemHint(code), directory].filter(Boolean).join(", or ");
    throw workError("write-failed", `nothing was written: can't ${what} ${place} (${code})`, hint);
  }
}
