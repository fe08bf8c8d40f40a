import { displayPath } from "../../../diagnostics/index.ts";
import type { GenerateOutcome } from "../../../generate/generate.ts";
import { printable } from "../../../project/names.ts";
import { workError } from "../../errors.ts";

/** Writes what changed, all or nothing. Throws when the system refuses. */
export async function write({ plan }: GenerateOutcome, cwd: string): Promise<void> {
  const [{ applyPlan }, { WriteError }] = await Promise.all([
    import("../../../generate/output/apply.ts"),
    import("../../../generate/output/write-error.ts"),
  ]);
  try {
    applyPlan(plan.writes);
  } catch (error) {
    if (!(error instanceof WriteError)) throw error;
    const { what, path, code } = error;
    const place = printable(displayPath(path, cwd));
    const hint = "name another directory with output:dir=… or output:<generator>:dir=…";
    throw workError("write-failed", `nothing was written: can't ${what} ${place} (${code})`, hint);
  }
}
