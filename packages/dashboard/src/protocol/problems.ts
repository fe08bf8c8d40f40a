// Problems of the user's files: a part of the protocol of the dashboard.

/** The step that failed. */
export type ErrorPhase = "generate" | "bundle" | "types" | "apply" | "manager";

/** A problem in the user's files. */
export interface DevProblem {
  readonly phase: ErrorPhase;
  readonly message: string;
  /** Relative to the project. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly id?: string;
  /** The lines around the position, for people. */
  readonly frame?: string;
  /** How to fix it. */
  readonly hint?: string;
}

/** Identifies problems of changes of CRDs that are withheld because stored fields would be lost. */
export const withheldId = "withheld-storage-change";
