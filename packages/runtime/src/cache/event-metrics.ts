/** Why an event never reached its handler. */
export type DropReason = "error" | "retries" | "limit";

/** Counts events and objects that user code failed to process. `kind` is a kind with its group, such as `Deployment.apps`. */
export interface EventMetrics {
  /** Counts a failure of a predicate, map function or handler. */
  handlerFailed(kind: string): void;
  /** Counts an event that is lost to its handler. */
  eventDropped(kind: string, reason: DropReason): void;
  /** Counts an object that starts (1) or stops (-1) to wait for a retry or for a slow call. */
  handlerStalled(kind: string, delta: 1 | -1): void;
  /** Counts an object that starts (1) or stops (-1) to be set aside because its transform failed. */
  setAside(kind: string, delta: 1 | -1): void;
  /** Counts a failure of an index function. */
  indexFailed(kind: string): void;
}
