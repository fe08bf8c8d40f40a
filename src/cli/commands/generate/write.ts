import type { GenerateOutcome } from "../../../generate/generate.ts";
import { workError } from "../../errors.ts";

/** Writes what changed, all or nothing. Throws when the system refuses. */
export async function write({ plan }: GenerateOutcome): Promise<void> {
  const { applyPlan } = await import("../../../generate/output/apply.ts");
  try {
    applyPlan(plan.writes);
  } catch (error) {
    throw workError("write-failed", `nothing was written: ${error instanceof Error ? error.message : String(error)}`);
  }
}
