import type { AdmissionRequest } from "./api/admission/v1.ts";
import type { Logger } from "./log/logger.ts";

/** Explains why an object is reconciled. Decide by the state that the client reads, never by the reason. */
export interface Reason {
  /** Type of the event. `requeue` and `retry` follow an earlier reconcile: its result, or its failure. */
  type: "create" | "update" | "delete" | "generic" | "requeue" | "retry" | "resync";
  /** Kind of the object that the event is about. */
  kind?: string;
  /** Namespace of that object. Unset for cluster-scoped objects. */
  namespace?: string;
  /** Name of that object. */
  name?: string;
}

/**
 * Passed to every reconciler, map function and webhook, in addition to its other arguments. In map functions and webhooks,
 * `reconcileID` is `""` and `reasons` is empty.
 */
export interface Context {
  /** Logs lines that contain the controller, the object and the `reconcileID`. */
  log: Logger;
  /** Aborts when the manager stops, when leadership is lost, or when the time limit of this call expires. */
  signal: AbortSignal;
  /** Unique per attempt. */
  reconcileID: string;
  /** Events that caused this reconcile, at most 16. */
  reasons: readonly Reason[];
  /**
   * Set in admission webhooks only: operation, user, subresource, `dryRun`, options and both objects, as the API server
   * sent them.
   */
  request?: AdmissionRequest;
}
