import type { AdmissionRequest } from "./api/admission/v1.ts";
import type { Logger } from "./log/logger.ts";

/** Why an object is reconciled. The state to act on is what the client reads, never the reason. */
export interface Reason {
  type: "create" | "update" | "delete" | "generic" | "requeue" | "retry" | "resync";
  /** The object whose event it was. */
  kind?: string;
  namespace?: string;
  name?: string;
}

/** What code called by the runtime is given beside its arguments. In map functions and webhooks `reconcileID` is empty and there are no reasons. */
export interface Context {
  /** Carries controller, object and `reconcileID` in each line. */
  log: Logger;
  /** Aborts when the manager stops, leadership is lost, or the time for this call is over. */
  signal: AbortSignal;
  /** Unique for each attempt. */
  reconcileID: string;
  reasons: readonly Reason[];
  /** In admission webhooks: operation, user, subresource, `dryRun`, options and both objects, as the API server sent them. */
  request?: AdmissionRequest;
}
