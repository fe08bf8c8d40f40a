/** Type of a reason: that of an event, or `channel` for events from outside the cluster. */
export type ReasonType = "create" | "update" | "delete" | "generic" | "resync" | "requeue" | "retry" | "channel";

/** Why an object was enqueued. */
export interface ReconcileReason {
  type: ReasonType;
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  via?: "for" | "owns" | "watches";
  /** Field manager of the change, if it is known. */
  by?: string;
  /** Paths of the fields that changed, such as `spec.replicas`. */
  changed?: readonly string[];
  resourceVersion?: string;
  /** Id of the reconcile of this manager that made the change, if it was one. */
  reconcile?: string;
  /** Whether the object existed when the watch started. */
  initial?: boolean;
  /** Whether a person requested the reconcile. */
  manual?: boolean;
  /** Delay of `requeue` and `retry` in milliseconds. */
  after?: number;
  /** Failures in a row before a `retry`. */
  attempts?: number;
  /** When the reason arose, RFC 3339. */
  time: string;
}

/** A read during a reconcile. */
export interface ReconcileRead {
  verb: "get" | "list";
  apiVersion?: string;
  kind: string;
  namespace?: string;
  name?: string;
  resourceVersion?: string;
  from: "cache" | "server";
  /** Number of objects of a list. */
  count?: number;
  error?: string;
}

/** A write during a reconcile. */
export interface ReconcileWrite {
  verb: "create" | "update" | "patch" | "apply" | "delete";
  subresource?: string;
  apiVersion?: string;
  kind: string;
  namespace?: string;
  name?: string;
  resourceVersion?: string;
  /** Unified diff of the object's YAML before and after the write; empty if nothing changed. */
  diff: string;
  /** Parts that the write changed, and the server doesn't store at this path: they are written at the other one. */
  ignored?: readonly ("spec" | "status")[];
  error: string | null;
  durationMs: number;
}

/** An HTTP request during a reconcile to a server other than the API server. */
export interface ReconcileCall {
  method: string;
  /** Without credentials, and without the values of its query. */
  url: string;
  /** Status of the answer; unset without one. */
  status?: number;
  error: string | null;
  /** Time until the answer began, in milliseconds. */
  durationMs: number;
}

/** Type of a step of a reconcile. */
export type ReconcileStep = "read" | "write" | "call" | "log";

/** A log line of a reconcile. */
export interface ReconcileLog {
  level: "debug" | "info" | "warn" | "error";
  message: string;
  time: string;
  fields?: Readonly<Record<string, unknown>>;
}

/** A failure of a reconcile. */
export interface ReconcileError {
  message: string;
  /** Source position, relative to the project. */
  file?: string;
  line?: number;
  column?: number;
  stack?: string;
  terminal?: boolean;
  /** Failures in a row, with this one; absent without a retry. */
  attempts?: number;
  /** Milliseconds until the retry. */
  retryAfter?: number;
}

/** One reconcile. */
export interface ReconcileRecord {
  id: string;
  controller: string;
  /** Without an `apiVersion` if the controller has no kind. */
  object: { apiVersion?: string; kind: string; namespace: string; name: string };
  time: string;
  durationMs: number;
  reasons: readonly ReconcileReason[];
  reads: readonly ReconcileRead[];
  writes: readonly ReconcileWrite[];
  calls: readonly ReconcileCall[];
  logs: readonly ReconcileLog[];
  /**
   * The order in which reads, writes, calls and log lines ended: the first `"read"` is the first entry of `reads`, and so on.
   */
  steps: readonly ReconcileStep[];
  result: { requeueAfter: number; requeue?: boolean };
  error: ReconcileError | null;
  /** Number of reads, writes, calls and log lines beyond those that are kept. */
  dropped?: number;
  pid: number;
}

/** A request to a webhook. */
export interface AdmissionRecord {
  id: string;
  time: string;
  durationMs: number;
  path: string;
  type: "mutating" | "validating";
  operation: string;
  object: { apiVersion?: string; kind: string; namespace: string; name: string };
  subresource?: string;
  user: string;
  dryRun: boolean;
  allowed: boolean;
  message?: string;
  warnings: readonly string[];
  /** YAML of the object as the server sent it. */
  input: string;
  /** Unified diff of the object's YAML before and after the patch; empty without one. */
  patch: string;
}

/** The queue of a controller. */
export interface QueueStatus {
  name: string;
  depth: number;
  active: readonly string[];
  delayed: readonly { key: string; at: string; attempts: number }[];
}

/** Numbers of a controller since the start of the manager. */
export interface ControllerStatus extends QueueStatus {
  apiVersion?: string;
  kind: string;
  workers: number;
  total: number;
  errors: number;
  errorsByMessage: readonly { message: string; count: number }[];
  /** Reconciles by second, for the last 60 seconds; the oldest first. */
  perSecond: readonly number[];
  /** Durations of the last reconciles in milliseconds; the oldest first. */
  durations: readonly number[];
}

/** A watched kind. */
export interface CacheStatus {
  apiVersion: string;
  kind: string;
  metadataOnly: boolean;
  namespaces: readonly string[];
  labelSelector: string;
  fieldSelector: string;
  synced: boolean;
  objects: number;
  resourceVersion: string;
  lastEvent?: string;
  watches: number;
  events: number;
  /** For how long the cache has been behind the server, in milliseconds; unset before it is filled. */
  lagMs?: number;
  error?: string;
}

/** A fault for the manager. */
export type ManagerFault =
  | { fault: "conflict"; count?: number; apiVersion?: string; kind?: string }
  | { fault: "unavailable"; seconds?: number }
  | { fault: "watch-cut" }
  | { fault: "webhook-down"; seconds?: number };

/** A fault that has still an effect. */
export interface ActiveFault {
  fault: ManagerFault["fault"];
  until?: string;
  left?: number;
  /** The kind whose writes fail; unset for all. */
  apiVersion?: string;
  kind?: string;
}

/** A message of an inspector to its listeners. */
export type InspectMessage =
  /** The manager has started. */
  | { type: "started" }
  | { type: "reconcile"; reconcile: ReconcileRecord }
  | { type: "admission"; admission: AdmissionRecord };
