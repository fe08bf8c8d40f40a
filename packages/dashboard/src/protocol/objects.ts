// The reconciles and objects of a development session, a part of its protocol.
// Reconciles --------------------------------------------------------------------------------------------------------

/** Type of a reason. */
export type ReasonType = "create" | "update" | "delete" | "generic" | "resync" | "requeue" | "retry" | "channel";

/** Why an object was enqueued. */
export interface ReconcileReason {
  readonly type: ReasonType;
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly via?: "for" | "owns" | "watches";
  /** Field manager of the change, if it is known. */
  readonly by?: string;
  /** Paths of the fields that changed, such as `spec.replicas`; at most 20. */
  readonly changed?: readonly string[];
  readonly resourceVersion?: string;
  /** Id of the reconcile of this manager that made the change, if it was one. */
  readonly reconcile?: string;
  /** Whether the object existed when the manager started. */
  readonly initial?: boolean;
  /** Whether a person requested the reconcile: `scaffold dev reconcile`, or the dashboard. The type is `generic`. */
  readonly manual?: boolean;
  /** Delay of `requeue` and `retry`, in milliseconds. */
  readonly after?: number;
  /** Failures in a row before a `retry`. */
  readonly attempts?: number;
  /** When the reason arose, RFC 3339. */
  readonly time?: string;
}

/** A read during a reconcile. */
export interface ReconcileRead {
  readonly verb: "get" | "list";
  readonly apiVersion?: string;
  readonly kind: string;
  readonly namespace?: string;
  /** Absent for lists. */
  readonly name?: string;
  readonly resourceVersion?: string;
  readonly from: "cache" | "server";
  /** Number of objects of a list. */
  readonly count?: number;
  readonly error?: string;
}

/** A write during a reconcile. */
export interface ReconcileWrite {
  readonly verb: "create" | "update" | "patch" | "apply" | "delete";
  readonly subresource?: string;
  readonly apiVersion?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly resourceVersion?: string;
  /** Unified diff of the object's YAML before and after the write; empty if nothing changed. */
  readonly diff: string;
  /** Parts that the write changed, and the server doesn't store at this path: they are written at the other one. */
  readonly ignored?: readonly ("spec" | "status")[];
  readonly error: string | null;
  readonly durationMs?: number;
}

/** An HTTP request during a reconcile to a server other than the API server. */
export interface ReconcileCall {
  readonly method: string;
  /** Without credentials, and without the values of its query. */
  readonly url: string;
  /** Status of the answer; absent without one. */
  readonly status?: number;
  readonly error: string | null;
  /** Time until the answer began, in milliseconds. */
  readonly durationMs: number;
}

/** Type of a step of a reconcile. */
export type ReconcileStep = "read" | "write" | "call" | "log";

/** A log line of a reconcile. */
export interface ReconcileLog {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly time?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** A failure of a reconcile. */
export interface ReconcileError {
  readonly message: string;
  /** Source position, relative to the project. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly stack?: string;
  readonly terminal?: boolean;
  /** Failures in a row, with this one; absent without a retry. */
  readonly attempts?: number;
  /** Milliseconds until the retry. */
  readonly retryAfter?: number;
}

/** The object of a record. */
export interface RecordedObject {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** One reconcile. */
export interface ReconcileRecord {
  readonly id: string;
  readonly controller: string;
  /**
   * The reconciled object. Requests of other types have their JSON as `name`. Records of older runtimes have no `apiVersion`.
   */
  readonly object: RecordedObject;
  /** Start, RFC 3339 with milliseconds. */
  readonly time: string;
  readonly durationMs: number;
  readonly reasons: readonly ReconcileReason[];
  readonly reads: readonly ReconcileRead[];
  readonly writes: readonly ReconcileWrite[];
  /** Absent with an older runtime, as `steps`. */
  readonly calls?: readonly ReconcileCall[];
  readonly logs: readonly ReconcileLog[];
  /**
   * The order in which reads, writes, calls and log lines ended: the first `"read"` is the first entry of `reads`, and so on.
   */
  readonly steps?: readonly ReconcileStep[];
  readonly result: { readonly requeueAfter: number; readonly requeue?: boolean };
  readonly error: ReconcileError | null;
  /** Number of reads, writes, calls and log lines beyond those that are kept. */
  readonly dropped?: number;
  /** Process id of the manager. */
  readonly pid?: number;
}

/** The answer of `scaffold dev why` and `GET /api/why?apiVersion=…&kind=…&namespace=…&name=…&limit=…`. */
export interface Why {
  readonly object: RecordedObject & {
    /** Empty if the object doesn't exist. */
    readonly uid: string;
    readonly resourceVersion: string;
  };
  /** The latest first. */
  readonly reconciles: readonly ReconcileRecord[];
}

// Objects -----------------------------------------------------------------------------------------------------------

/** A condition of an object. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

/** An object in the tree. */
export interface ObjectSummary {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Null if the kind has no notion of readiness. */
  readonly ready: boolean | null;
  readonly owners: readonly string[];
  readonly children: readonly string[];
  readonly generation: number | null;
  readonly observedGeneration: number | null;
  readonly conditions: readonly Condition[];
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly deleting: boolean;
  /** Whether the kind is one of the project. */
  readonly own: boolean;
  /** Desired replicas, if the object can be scaled. */
  readonly replicas?: number;
  /** Whether the operator of the project has written the object, by its fields' managers. Absent for others. */
  readonly written?: boolean;
  /** The uids of the objects whose reconciles wrote this one, if it has no owner that is known, as in another namespace. */
  readonly writtenFor?: readonly string[];
  /** The printer columns of the kind's definition, as `kubectl get` prints them, without the name and the age. */
  readonly columns?: readonly PrintedColumn[];
}

/** The value of a printer column. Empty if the object doesn't have it. */
export interface PrintedColumn {
  readonly name: string;
  readonly value: string;
}

/** `GET /api/objects`. */
export interface Objects {
  readonly objects: readonly ObjectSummary[];
}

/** An entry of `managedFields`, with its paths. */
export interface FieldOwner {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly paths: readonly string[];
}

/** An event about an object. */
export interface ObjectEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly firstTime: string;
  readonly lastTime: string;
  readonly source: string;
}

/** A state of an object that the session has observed. */
export interface ObjectRevision {
  readonly resourceVersion: string;
  readonly time: string;
  readonly type: "added" | "modified" | "deleted";
  readonly by?: string;
  readonly changed: readonly string[];
  /** Unified diff of the YAML, from the previous state. */
  readonly diff: string;
}

/** `GET /api/object?apiVersion=…&kind=…&namespace=…&name=…`. */
export interface ObjectDetail {
  readonly summary: ObjectSummary;
  /** YAML without `managedFields`. */
  readonly yaml: string;
  readonly fields: readonly FieldOwner[];
  readonly events: readonly ObjectEvent[];
  /** The latest first. */
  readonly revisions: readonly ObjectRevision[];
}

/** `GET /api/reconciles?apiVersion=…&kind=…&namespace=…&name=…&limit=…`: those of all objects, or of the given ones; the latest first. */
export interface Reconciles {
  readonly reconciles: readonly ReconcileRecord[];
}

/** An entry of a timeline. */
export type TimelineEntry =
  | { readonly type: "reconcile"; readonly time: string; readonly reconcile: ReconcileRecord }
  | { readonly type: "change"; readonly time: string; readonly change: ObjectRevision }
  | { readonly type: "event"; readonly time: string; readonly event: ObjectEvent }
  | { readonly type: "admission"; readonly time: string; readonly admission: AdmissionRecord };

/** `GET /api/timeline?apiVersion=…&kind=…&namespace=…&name=…&limit=…`: the latest first. */
export interface Timeline {
  readonly object: Why["object"];
  readonly entries: readonly TimelineEntry[];
}

/** A request to a webhook. */
export interface AdmissionRecord {
  readonly id: string;
  readonly time: string;
  readonly durationMs: number;
  readonly path: string;
  readonly type: "mutating" | "validating";
  readonly operation: string;
  readonly object: RecordedObject;
  readonly subresource?: string;
  readonly user: string;
  readonly dryRun: boolean;
  readonly allowed: boolean;
  readonly message?: string;
  readonly warnings: readonly string[];
  /** YAML of the object as the server sent it. */
  readonly input: string;
  /** Unified diff of the object's YAML before and after the patch; empty without one. */
  readonly patch: string;
}
