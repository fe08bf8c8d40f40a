// The result of a plan, which the process of the manager sends to `scaffold plan`, and its settings. The command line imports
// these types.

/** An object, or the request of a controller. */
export interface PlannedRef {
  readonly kind: string;
  /** Empty for objects without a namespace. */
  readonly namespace: string;
  readonly name: string;
}

/** A place in the sources of the project. Empty and 0 if it is unknown. */
export interface PlannedPosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A write of a reconcile. */
export interface PlannedWrite extends PlannedPosition {
  readonly verb: "create" | "update" | "patch" | "apply" | "delete";
  readonly subresource: string;
  readonly controller: string;
  readonly object: PlannedRef;
  /** Why the object was reconciled. */
  readonly reasons: readonly {
    readonly type: string;
    readonly kind?: string;
    readonly namespace?: string;
    readonly name?: string;
  }[];
}

/** A field that a plan changes. `before` or `after` is missing if the field is. */
export interface PlannedField {
  readonly path: string;
  readonly action: "add" | "change" | "remove";
  readonly before?: unknown;
  readonly after?: unknown;
}

/** An object that a plan changes. */
export interface PlannedChange extends PlannedRef {
  readonly action: "create" | "update" | "delete";
  readonly apiVersion: string;
  /** Whether the template of its Pods changes. */
  readonly rollout: boolean;
  /** How many Pods a rollout replaces: the replicas that it has now. */
  readonly pods?: number;
  /** Set if the object is deleted and created again. */
  readonly replaced?: boolean;
  readonly fields: readonly PlannedField[];
  readonly writes: readonly PlannedWrite[];
}

/** A call of an external system that a plan didn't make. */
export interface PlannedCall extends PlannedPosition {
  readonly system: string;
  readonly function: string;
  readonly arguments: readonly unknown[];
  /** Whether the operator continued with an assumed result. Otherwise, the reconcile ended there. */
  readonly assumed: boolean;
  readonly controller: string;
  readonly object: PlannedRef;
}

/** Why a plan is incomplete. */
export interface PlanFailure extends PlannedPosition {
  readonly phase: "list" | "reconcile" | "write" | "external" | "timeout" | "unstable";
  readonly controller: string;
  readonly object: PlannedRef;
  /** The HTTP status; 0 without one. */
  readonly status: number;
  readonly message: string;
  /** The marker of a missing permission; empty without one. */
  readonly marker: string;
}

/** A reconcile that the operator would run later. */
export interface PlannedRequeue {
  readonly controller: string;
  readonly object: PlannedRef;
  /** In milliseconds. */
  readonly requeueAfter: number;
}

/** The result of the controllers. */
export interface PlanResult {
  readonly changes: readonly PlannedChange[];
  readonly external: readonly PlannedCall[];
  readonly failed: readonly PlanFailure[];
  readonly later: readonly PlannedRequeue[];
  /** Runnables that a real manager also starts. */
  readonly skipped: readonly string[];
  readonly notes: readonly string[];
  readonly reconciles: number;
  /** Objects that were reconciled or written without a change. */
  readonly unchanged: number;
}

/** The settings of the process, which `scaffold plan` writes. */
export interface PlanSettings {
  readonly writes: "server" | "local";
  /** The definitions of custom resources. */
  readonly crds: readonly object[];
  /** The objects to reconcile; all without entries. Kinds are compared without regard to case. */
  readonly targets: readonly { readonly kind: string; readonly name: string }[];
  /** The namespace of the targets, or of all objects to reconcile. */
  readonly namespace?: string;
  /** Objects that a user applies first. */
  readonly objects: readonly object[];
  /** Time limit of a reconcile, and of a list, in milliseconds. */
  readonly timeout: number;
  /** The address of the cluster that `crds` and `aggregated` describe. */
  readonly host?: string;
  /** The groups and versions of aggregated API servers, such as `metrics.k8s.io/v1beta1`; absent if they are unknown. */
  readonly aggregated?: readonly string[];
}
