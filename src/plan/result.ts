// The result of a plan, as the project's runtime reports it. The command line doesn't depend on the runtime: a project can
// have another version of it.

export interface PlannedRef {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface PlannedWrite extends Position {
  readonly verb: string;
  readonly subresource: string;
  readonly controller: string;
  readonly object: PlannedRef;
  readonly reasons: readonly { readonly type: string }[];
}

export interface PlannedField {
  readonly path: string;
  readonly action: "add" | "change" | "remove";
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface PlannedChange extends PlannedRef {
  readonly action: "create" | "update" | "delete";
  readonly apiVersion: string;
  readonly rollout: boolean;
  /** Number of Pods that a rollout replaces; unset if it is unknown. */
  readonly pods?: number;
  readonly fields: readonly PlannedField[];
  readonly writes: readonly PlannedWrite[];
}

export interface PlannedCall extends Position {
  readonly system: string;
  readonly function: string;
  readonly arguments: readonly unknown[];
  readonly assumed: boolean;
  readonly controller: string;
  readonly object: PlannedRef;
}

export interface PlanFailure extends Position {
  readonly phase: "list" | "reconcile" | "write" | "external" | "timeout" | "unstable";
  readonly controller: string;
  readonly object: PlannedRef;
  readonly status: number;
  readonly message: string;
  readonly marker: string;
}

export interface PlanResult {
  readonly changes: readonly PlannedChange[];
  readonly external: readonly PlannedCall[];
  readonly failed: readonly PlanFailure[];
  readonly later: readonly {
    readonly controller: string;
    readonly object: PlannedRef;
    readonly requeueAfter: number;
  }[];
  readonly skipped: readonly string[];
  readonly notes: readonly string[];
  readonly reconciles: number;
  readonly unchanged: number;
}

/** The settings of the process of a plan. */
export interface PlanSettings {
  readonly writes: "server" | "local";
  readonly crds: readonly object[];
  readonly targets: readonly { readonly kind: string; readonly name: string }[];
  readonly namespace?: string;
  readonly objects: readonly object[];
  readonly timeout: number;
  readonly aggregated: readonly string[];
}
