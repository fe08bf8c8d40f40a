// The parts of a plan that the tests read.

interface Change {
  readonly action: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly fields: readonly { readonly path: string; readonly action: string; readonly after?: unknown }[];
  readonly writes: readonly { readonly verb: string; readonly reasons: readonly object[] }[];
}

/** The result of the process of a manager. */
export interface PlanResult {
  readonly changes: readonly Change[];
  readonly external: readonly object[];
  readonly failed: readonly object[];
  readonly later: readonly object[];
  readonly reconciles: number;
}

/** The output of `scaffold plan --json`. */
export interface PlanDocument extends Omit<PlanResult, "reconciles"> {
  readonly user: string;
  readonly complete: boolean;
}

/** The settings of the process of a manager. */
export interface PlanSettings {
  readonly writes: "server" | "local";
  readonly crds: readonly object[];
  readonly targets: readonly { readonly kind: string; readonly name: string }[];
  readonly namespace?: string;
  readonly objects: readonly object[];
  readonly timeout: number;
  readonly aggregated: readonly string[];
}
