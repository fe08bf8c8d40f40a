import type { PlanResult } from "@kubewright/runtime/dev";

/** The parts of `scaffold plan --json` that the tests read. */
export interface PlanDocument extends Pick<PlanResult, "changes" | "failed"> {
  readonly user: string;
  readonly complete: boolean;
}
