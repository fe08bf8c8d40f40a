import type { Logger } from "../log/logger.ts";
import type { Queue } from "../queue/queue.ts";
import type { RateLimiter } from "../queue/rate-limiter.ts";
import type { Request } from "../request.ts";

/** What can be said for all controllers of a manager and for each one. Durations are milliseconds. */
export interface ControllerDefaults {
  /** Reconciles at a time; 1 by default. One object is never reconciled twice at a time. */
  maxConcurrentReconciles?: number;
  /** How long to wait for the caches of all sources; two minutes by default. */
  cacheSyncTimeout?: number;
  /** Turns bugs thrown by reconcilers into errors that are retried; true by default. */
  recoverPanic?: boolean;
  /** Runs only on the leader; true by default. */
  needLeaderElection?: boolean;
  /**
   * Starts the sources and fills the queue before this process is the leader, so that it reconciles at once when it becomes it.
   * False by default: candidates watch nothing, and hold no caches.
   */
  enableWarmup?: boolean;
  /** Aborts the signal of a reconcile that takes longer; none by default. */
  reconciliationTimeout?: number;
  /** Lets another controller of the manager have the same name; their logs and metrics can't be told apart then. */
  skipNameValidation?: boolean;
}

/** What can be said for one controller. */
export interface ControllerOptions<R = Request> extends ControllerDefaults {
  /** How long a failed item waits; 5 ms after the first failure and then twice as long each time, at most 1,000 s, by default. */
  rateLimiter?: RateLimiter;
  /** Makes the queue; the priority queue by default. */
  newQueue?: (name: string, rateLimiter: RateLimiter) => Queue<R>;
  /** Gives the logger of the controller, and that of a reconcile where there is a request; `base` is what they are by default. */
  logConstructor?: (base: Logger, request?: R) => Logger;
}

/** Of several settings the one that counts: those that aren't given leave it to the next, and so do durations and numbers that aren't above 0. */
export function settled<T extends object>(...settings: readonly T[]): T {
  const result: Record<string, unknown> = {};
  for (const each of settings.toReversed()) {
    for (const [name, value] of Object.entries(each)) if (isGiven(value)) result[name] = value;
  }
  return result as T;
}

function isGiven(value: unknown): boolean {
  return typeof value === "number" ? value > 0 : value !== undefined && value !== null;
}
