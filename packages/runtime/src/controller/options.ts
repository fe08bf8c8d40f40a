import type { Logger } from "../log/logger.ts";
import type { Queue } from "../queue/queue.ts";
import type { RateLimiter } from "../queue/rate-limiter.ts";
import type { Request } from "../reconcile/request.ts";

/** Options that can be set for all controllers of a manager and per controller. Durations are in milliseconds. */
export interface ControllerDefaults {
  /**
   * Maximum number of concurrent reconciles. One object is never reconciled twice at the same time.
   *
   * @defaultValue 1
   */
  maxConcurrentReconciles?: number;
  /**
   * Time limit in milliseconds for the caches of all sources to sync.
   *
   * @defaultValue 120000
   */
  cacheSyncTimeout?: number;
  /**
   * Turns bugs in reconcilers, such as a `ReferenceError`, into errors that are retried. With `false`, they stop the
   * manager.
   *
   * @defaultValue true
   */
  recoverPanic?: boolean;
  /**
   * Runs the controller only on the leader.
   *
   * @defaultValue true
   */
  needLeaderElection?: boolean;
  /**
   * Starts the sources and fills the queue before this process is elected, so that it reconciles without delay when it
   * becomes the leader. With `false`, candidates watch nothing and hold no caches.
   *
   * @defaultValue false
   */
  enableWarmup?: boolean;
  /**
   * Time limit in milliseconds of a reconcile, after which its signal aborts.
   *
   * @defaultValue no limit
   */
  reconciliationTimeout?: number;
  /**
   * Allows another controller of the manager to have the same name. Their logs and metrics are then indistinguishable.
   *
   * @defaultValue false
   */
  skipNameValidation?: boolean;
}

/** Options of one controller. */
export interface ControllerOptions<R = Request> extends ControllerDefaults {
  /**
   * Shares the objects among all replicas, if the manager has the option `sharding`. With `false`, and for controllers
   * without `for`, only the leader reconciles.
   *
   * @defaultValue true
   */
  sharded?: boolean;
  /**
   * Delays failed items.
   *
   * @defaultValue {@link ExponentialBackoff}: 5 ms after the first failure, doubled per failure, at most 1,000 s
   */
  rateLimiter?: RateLimiter;
  /**
   * Creates the queue.
   *
   * @defaultValue a {@link PriorityQueue}
   */
  newQueue?: (name: string, rateLimiter: RateLimiter) => Queue<R>;
  /**
   * Returns the logger of the controller, or that of a reconcile if `request` is set. `base` is the logger that is used
   * by default.
   */
  logConstructor?: (base: Logger, request?: R) => Logger;
}

/** Merges settings: the first one that sets an option applies. Durations and numbers of 0 or less count as unset. */
export function settled<T extends object>(...settings: readonly T[]): T {
  const result: Record<string, unknown> = {};
  for (const options of settings.toReversed()) {
    for (const [name, value] of Object.entries(options)) if (isGiven(value)) result[name] = value;
  }
  return result as T;
}

function isGiven(value: unknown): boolean {
  return typeof value === "number" ? value > 0 : value !== undefined && value !== null;
}
