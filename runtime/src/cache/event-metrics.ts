/** Why an event never reached its handler. */
export type DropReason = "error" | "retries" | "limit";

/** Receives counts of events and objects that user code could not process. `kind` is a kind with its group, such as `Deployment.apps`. */
export interface EventMetrics {
  /** A predicate, map function or handler failed for an event. */
  handlerFailed(kind: string): void;
  /** An event is lost to its handler. */
  eventDropped(kind: string, reason: DropReason): void;
  /** An object begins (1) or ceases (-1) to wait for a retry or for a call that takes long. */
  handlerStalled(kind: string, delta: 1 | -1): void;
  /** An object begins (1) or ceases (-1) to be set aside because its transform failed. */
  setAside(kind: string, delta: 1 | -1): void;
  /** An index function failed for an object. */
  indexFailed(kind: string): void;
}
