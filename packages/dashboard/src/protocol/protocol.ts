/**
 * The data of a development session: the lines of `scaffold dev --json`, the answers of `scaffold dev why` and the other
 * subcommands, and the HTTP endpoints that the dashboard uses. This file contains types, constants and pure functions
 * only, so that the dashboard can import it.
 *
 * HTTP:
 *
 * - The server listens on 127.0.0.1. It refuses a `Host` other than `127.0.0.1:PORT`, `localhost:PORT` or `[::1]:PORT`
 *   (421), and a foreign `Origin` (403).
 * - `GET /?token=TOKEN` exchanges a one-time token for the cookie {@link sessionCookie} (`HttpOnly`, `SameSite=Strict`) and a
 *   key, and redirects to `/#key=KEY`. The page stores the key for its origin, and sends it as {@link keyHeader}. Programs send
 *   `Authorization: Bearer …` with the token of the session file instead.
 * - Every path under `/api/` requires the cookie with its key, or the bearer token (401). Browsers send the cookie to each
 *   server on this machine, so that it isn't sufficient.
 * - `kind` is exact if an `apiVersion` is given; only the group of the version is compared. Without it, each form of kubectl
 *   names a kind, such as `games.example.com` or a short name. A name that several objects have is refused (409).
 * - Bodies and answers are JSON. An error has the status 4xx or 5xx, and the body {@link Failure}.
 * - Requests that change something need `Content-Type: application/json` (415), so that a form of another site can't send
 *   them.
 * - `GET /api/stream` is an event stream (`text/event-stream`), whose `data` are {@link StreamMessage}s. Each message has
 *   an `id`, so that a client that reconnects with `Last-Event-ID` receives what it has missed if it is still kept; else
 *   the first message has the type `reset`.
 * - Everything else is the dashboard's own files.
 *
 * The values of Secrets are masked everywhere: `data` and `stringData` have the value `(hidden)`.
 */

import type {
  ActiveManagerFault,
  AdmissionRecord,
  CacheStatus,
  ControllerStatus,
  ManagerFault,
  QueueStatus,
  ReasonType,
  ReconcileRecord,
} from "@kubewright/runtime/dev";
import type { ObjectRevision, ObjectSummary } from "./objects.ts";
import type { DevProblem, ErrorPhase } from "./problems.ts";

export type {
  AdmissionRecord,
  CacheStatus,
  ControllerStatus,
  InspectMessage,
  ReasonType,
  ReconcileCall,
  ReconciledChild,
  ReconcileError,
  ReconcileLog,
  ReconcileRead,
  ReconcileReason,
  ReconcileRecord,
  ReconcileStep,
  ReconcileWrite,
  RecordedObject,
} from "@kubewright/runtime/dev";
export type * from "./objects.ts";
export { type DevProblem, type ErrorPhase, withheldId } from "./problems.ts";
export type * from "./replay.ts";
export { callResult, isBadChild, type Step, stepsOf } from "./steps.ts";

/** Name of the cookie of a session. */
export const sessionCookie = "kubewright-dev";

/** Header of the key that belongs to the cookie, in lower case. */
export const keyHeader = "x-kubewright-key";

/** Path of the page that shows the findings of a simulation. Its server has one route, `GET /api/replay`. */
export const replayPage = "/replay";

/** The engine of the cluster. */
export type Engine = "embedded" | "binaries" | "cluster";

/** Identifies an object. */
export interface ObjectRef {
  readonly apiVersion?: string;
  readonly kind: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
}

// Lines of `scaffold dev --json` ------------------------------------------------------------------------------------

/** A document that the session applied. */
export interface AppliedObject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly action: "created" | "configured" | "unchanged" | "failed";
  readonly message?: string;
}

/** An incompatible change of a CRD, as `scaffold generate --check --against … --json` reports it. */
export interface BreakingChange {
  readonly id: string;
  readonly severity: string;
  readonly message: string;
  /** Relative to the project. */
  readonly file: string;
  /** 0 for the whole file, as `column`. */
  readonly line: number;
  readonly column: number;
  /** How to avoid it. */
  readonly hint?: string;
}

/** A problem of the generator that doesn't stop it, as `scaffold manifests` prints it. */
export interface GeneratorWarning {
  readonly id: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** How to fix it. */
  readonly hint?: string;
}

/** An event of the loop, without its time. */
export type DevEventBody =
  | {
      readonly event: "ready";
      readonly kubeconfig: string;
      readonly engine: Engine;
      readonly dashboard: string;
      readonly durationMs: number;
    }
  | { readonly event: "changed"; readonly files: readonly string[] }
  | {
      readonly event: "generated";
      readonly files: readonly string[];
      readonly breaking: readonly BreakingChange[];
      /** Those that the run before didn't have; absent without one. */
      readonly warnings?: readonly GeneratorWarning[];
    }
  | { readonly event: "applied"; readonly objects: readonly AppliedObject[] }
  | { readonly event: "started"; readonly pid: number; readonly durationMs: number }
  | {
      readonly event: "reconciled";
      readonly id: string;
      readonly controller: string;
      readonly apiVersion?: string;
      readonly kind: string;
      readonly namespace: string;
      readonly name: string;
      readonly reasons: readonly ReasonType[];
      readonly durationMs: number;
      readonly writes: number;
      readonly error?: string;
      /** Source position of the error, relative to the project. */
      readonly file?: string;
      readonly line?: number;
      readonly column?: number;
      /** Failures in a row, with this one; absent without a retry. */
      readonly attempts?: number;
      /** Milliseconds until the retry. */
      readonly retryAfter?: number;
    }
  | (DevProblem & { readonly event: "error" })
  /** All errors of these phases are fixed. */
  | { readonly event: "fixed"; readonly phases: readonly ErrorPhase[] }
  | { readonly event: "note"; readonly message: string }
  | { readonly event: "takeover"; readonly lease: string; readonly from: string; readonly action: "taken" | "returned" }
  | { readonly event: "paused"; readonly paused: boolean }
  | { readonly event: "stopped"; readonly reason: string };

/** A line of `scaffold dev --json`. `time` is RFC 3339 with milliseconds. */
export type DevEvent = DevEventBody & { readonly time: string };

// Manager -----------------------------------------------------------------------------------------------------------

/** `scaffold dev queue` and `GET /api/queue`. */
export interface Queues {
  readonly controllers: readonly QueueStatus[];
}

/** `GET /api/controllers`. */
export interface Controllers {
  readonly paused: boolean;
  readonly controllers: readonly ControllerStatus[];
}

/** `GET /api/caches`. */
export interface Caches {
  readonly caches: readonly CacheStatus[];
}

/** `GET /api/admission?limit=…`: the latest first. */
export interface Admission {
  readonly requests: readonly AdmissionRecord[];
}

/** `GET /api/logs?limit=…`: the last lines of the managers' logs, the oldest first. */
export interface Logs {
  readonly lines: readonly string[];
}

// Faults and time travel --------------------------------------------------------------------------------------------

/**
 * A fault: one of the manager, which a manager that replaces it continues, or `pod-fails`. Then, the Pod `namespace`/`name` fails until
 * the fault is cleared, or the session ends. `kind` is named as in queries.
 */
export type Fault = ManagerFault | { readonly fault: "pod-fails"; readonly namespace: string; readonly name: string };

/** Names of the faults. */
export const faultNames = ["conflict", "unavailable", "watch-cut", "webhook-down", "pod-fails"] as const;

/** A fault that still has an effect. */
export interface ActiveFault extends Omit<ActiveManagerFault, "fault"> {
  readonly fault: Fault["fault"];
  /** The Pod of `pod-fails`, which fails until the fault or the session ends. */
  readonly namespace?: string;
  readonly name?: string;
}

/** `GET /api/faults`; `POST /api/faults` with a {@link Fault}; `DELETE /api/faults` ends all. */
export interface Faults {
  readonly faults: readonly ActiveFault[];
}

/** `GET /api/revisions`: the changes of the cluster that the session has observed, the latest first. */
export interface Revisions {
  /** Whether the cluster can be restored: only the embedded engine. */
  readonly restorable: boolean;
  readonly revision: number;
  readonly changes: readonly {
    readonly revision: number;
    readonly time: string;
    readonly type: ObjectRevision["type"];
    readonly object: ObjectRef;
    readonly by?: string;
    readonly changed: readonly string[];
  }[];
}

// Session -----------------------------------------------------------------------------------------------------------

/** `scaffold dev status` and `GET /api/status`. */
export interface Status {
  readonly project: string;
  readonly root: string;
  readonly engine: Engine;
  readonly kubeconfig: string;
  /** The server's URL, without a token. */
  readonly url: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly manager: {
    readonly state: "starting" | "running" | "stopped" | "failed";
    readonly pid: number | null;
    readonly startedAt: string | null;
    readonly restarts: number;
    /** Whether the manager reports its reconciles: its runtime has the option `inspect`. */
    readonly inspected: boolean;
  };
  readonly paused: boolean;
  /** Errors that aren't fixed. */
  readonly errors: readonly Extract<DevEvent, { event: "error" }>[];
  readonly kinds: readonly { readonly apiVersion: string; readonly kind: string; readonly plural: string }[];
  readonly takenOver: readonly string[];
  readonly restorable: boolean;
  /** Names of the project's webhooks for admission; absent in sessions of older versions. */
  readonly webhooks?: readonly string[];
}

/**
 * Requests that change something. The answer is `{}` unless noted.
 *
 * - `POST /api/apply` `{ yaml }`: applies documents (server-side apply, as `kubewright-dev`, with force); answers
 *   {@link Applied}. Edit an object with it, too: with `replace: true` a document is an update (PUT) and needs its
 *   `resourceVersion`, so that a change in the meantime is a conflict (409).
 * - `POST /api/delete` {@link ObjectRef}
 * - `POST /api/scale` {@link ObjectRef} and `replicas`
 * - `POST /api/reconcile` {@link ObjectRef}, optionally with `controller`: reconciles it now
 * - `POST /api/pause` `{ paused }`: stops to start reconciles, or continues
 * - `POST /api/restart`, `POST /api/generate`, `POST /api/samples`: as the keys `r`, `g` and `a`
 * - `POST /api/accept-loss`: applies changes of CRDs that are withheld because stored fields would be lost
 * - `POST /api/restore` `{ revision }`: restores the cluster (embedded only; 409 with another engine)
 * - `POST /api/stop`: ends the session
 * - `POST /api/link`: answers {@link Link}
 */
export interface Applied {
  readonly objects: readonly AppliedObject[];
}

/** A new link to the dashboard, which works once. */
export interface Link {
  readonly url: string;
}

/** Body of an answer with a status of 4xx or 5xx. */
export interface Failure {
  readonly error: string;
  readonly hint?: string;
}

/** A message of `GET /api/stream`. Data that changed is to be fetched, except for what the message contains. */
export type StreamMessage =
  /** The client has missed messages: fetch everything. */
  | { readonly type: "reset" }
  /** An event of the loop. `reconciled` is in `reconcile` instead. */
  | { readonly type: "dev"; readonly event: DevEvent }
  | { readonly type: "reconcile"; readonly reconcile: ReconcileRecord }
  /** An object was added, changed or deleted. At most ten messages per second, each with all changes since the last. */
  | {
      readonly type: "objects";
      readonly changed: readonly ObjectSummary[];
      /** uids */
      readonly deleted: readonly string[];
    }
  | { readonly type: "admission"; readonly admission: AdmissionRecord }
  | { readonly type: "faults"; readonly faults: Faults["faults"] }
  /** Once per second while something changes. */
  | { readonly type: "controllers"; readonly controllers: Controllers }
  /** A line of the manager's log. */
  | { readonly type: "log"; readonly line: string };

/**
 * The file that subcommands find the session by, mode 0600: `node_modules/.cache/kubewright/dev/session.json`, or
 * `.kubewright/dev/session.json` if `node_modules` is shared with other projects.
 */
export interface SessionFile {
  readonly pid: number;
  /** When the process started, in a unit of the system: another process with its ID has started later. */
  readonly started?: string;
  /** Such as `http://127.0.0.1:43123`. */
  readonly url: string;
  /** Bearer token. */
  readonly token: string;
}
