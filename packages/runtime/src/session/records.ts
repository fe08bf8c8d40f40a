// The messages that a manager sends to scaffold dev, and their parts. The session and the dashboard import these types.

/** Type of a reason: that of an event, or `channel` for events from outside the cluster. */
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
  /** Whether the object existed when the watch started. */
  readonly initial?: boolean;
  /** Whether a person requested the reconcile: `scaffold dev reconcile`, or the dashboard. The type is `generic`. */
  readonly manual?: boolean;
  /** Delay of `requeue` and `retry` in milliseconds. */
  readonly after?: number;
  /** Failures in a row before a `retry`. */
  readonly attempts?: number;
  /** When the reason arose, RFC 3339. */
  readonly time: string;
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
  readonly durationMs: number;
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

/** A child of a reconciled object, as a declaration with `childrenOf` lists it. */
export interface ReconciledChild {
  /** Name of the entry. */
  readonly child: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The action of the reconcile, such as `created` or `unchanged`. */
  readonly action: string;
  readonly ready: boolean;
  readonly message?: string;
}

/** Type of a step of a reconcile. */
export type ReconcileStep = "read" | "write" | "call" | "log";

/** A log line of a reconcile. */
export interface ReconcileLog {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly time: string;
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
  /** Absent if the controller has no kind. */
  readonly apiVersion?: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** One reconcile. */
export interface ReconcileRecord {
  readonly id: string;
  readonly controller: string;
  /** The reconciled object. Requests of other types have their JSON as `name`. */
  readonly object: RecordedObject;
  /** Start, RFC 3339 with milliseconds. */
  readonly time: string;
  readonly durationMs: number;
  readonly reasons: readonly ReconcileReason[];
  readonly reads: readonly ReconcileRead[];
  readonly writes: readonly ReconcileWrite[];
  readonly calls: readonly ReconcileCall[];
  readonly logs: readonly ReconcileLog[];
  /** The children, if the reconciler declares them with `childrenOf`; at most 200. */
  readonly children?: readonly ReconciledChild[];
  /**
   * The order in which reads, writes, calls and log lines ended: the first `"read"` is the first entry of `reads`, and so on.
   */
  readonly steps: readonly ReconcileStep[];
  readonly result: { readonly requeueAfter: number; readonly requeue?: boolean };
  readonly error: ReconcileError | null;
  /** Number of reads, writes, calls and log lines beyond those that are kept. */
  readonly dropped?: number;
  /** Process id of the manager. */
  readonly pid: number;
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

/** The queue of a controller. Keys are `NAMESPACE/NAME`, or `NAME` for cluster-scoped objects. */
export interface QueueStatus {
  readonly name: string;
  /** Items that are ready. */
  readonly depth: number;
  /** Items that are being reconciled. */
  readonly active: readonly string[];
  readonly delayed: readonly DelayedItem[];
}

/** An item of a queue that isn't ready yet. */
export interface DelayedItem {
  readonly key: string;
  /** When the item becomes ready, RFC 3339. */
  readonly at: string;
  /** Failures in a row. */
  readonly attempts: number;
}

/** Numbers of a controller since the start of the manager. */
export interface ControllerStatus extends QueueStatus {
  /** Absent without a kind. */
  readonly apiVersion?: string;
  readonly kind: string;
  readonly workers: number;
  readonly total: number;
  readonly errors: number;
  /** Failures by message, the most frequent first; at most 20. */
  readonly errorsByMessage: readonly { readonly message: string; readonly count: number }[];
  /** Reconciles by second, for the last 60 seconds; the oldest first. */
  readonly perSecond: readonly number[];
  /** Durations of the last reconciles in milliseconds, at most 100; the oldest first. */
  readonly durations: readonly number[];
}

/** A watched kind. */
export interface CacheStatus {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadataOnly: boolean;
  /** Empty for all namespaces. */
  readonly namespaces: readonly string[];
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly synced: boolean;
  readonly objects: number;
  readonly resourceVersion: string;
  /** RFC 3339; absent before the first event. */
  readonly lastEvent?: string;
  /** Watch connections since the start. */
  readonly watches: number;
  readonly events: number;
  /** For how long the cache has been behind the server, in milliseconds: 0 if it has all changes. Absent before it is filled. */
  readonly lagMs?: number;
  readonly error?: string;
}

/**
 * A fault of a manager. It affects only the manager: the dashboard and kubectl still reach the server.
 *
 * - `conflict`: the next `count` writes (1) of the manager fail with a conflict, optionally only those of `kind`.
 * - `unavailable`: the API server can't be reached for `seconds` (10).
 * - `watch-cut`: all watches of the manager end now.
 * - `webhook-down`: the webhooks of the manager don't answer for `seconds` (10).
 */
export type ManagerFault =
  | { readonly fault: "conflict"; readonly count?: number; readonly apiVersion?: string; readonly kind?: string }
  | { readonly fault: "unavailable"; readonly seconds?: number }
  | { readonly fault: "watch-cut" }
  | { readonly fault: "webhook-down"; readonly seconds?: number };

/** A fault of a manager that still has an effect. */
export interface ActiveManagerFault {
  readonly fault: ManagerFault["fault"];
  /** When it ends, RFC 3339; absent for `conflict`. */
  readonly until?: string;
  /** Writes that still fail. */
  readonly left?: number;
  /** The kind whose writes fail; absent for all. */
  readonly apiVersion?: string;
  readonly kind?: string;
}

/** A message of an inspector to its listeners. */
export type InspectMessage =
  /** The manager has started. */
  | { readonly type: "started" }
  | { readonly type: "reconcile"; readonly reconcile: ReconcileRecord }
  | { readonly type: "admission"; readonly admission: AdmissionRecord };
