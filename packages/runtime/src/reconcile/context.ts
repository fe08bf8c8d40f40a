import type { AdmissionRequest } from "../api/admission/v1.ts";
import type { Logger } from "../log/logger.ts";
import type { Reason } from "../queue/reason.ts";

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
