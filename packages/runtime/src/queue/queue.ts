import type { Reason } from "./reason.ts";

/** Options of an item in a queue. */
export interface AddOptions {
  /**
   * Time in milliseconds to wait.
   *
   * @defaultValue 0
   */
  after?: number;
  /**
   * Waits as long as the rate limiter returns, and counts a failure.
   *
   * @defaultValue false
   */
  rateLimited?: boolean;
  /**
   * Priority. Higher goes first.
   *
   * @defaultValue 0
   */
  priority?: number;
  /**
   * Reason, which reconciles receive in their context.
   *
   * @defaultValue none
   */
  reason?: Reason;
}

/** An item that {@link Queue.get} returned. It is locked until `done`. */
export interface QueueItem<R> {
  /** The item. */
  item: R;
  /** Its priority. */
  priority: number;
  /** Why it was added. */
  reasons: readonly Reason[];
}

/** The part of a queue that event handlers use. */
export interface AddOnlyQueue<R> {
  /**
   * Adds an item. If it is already queued, the higher priority and the earlier time apply.
   *
   * @param item - the item
   * @param options - see {@link AddOptions}
   */
  add(item: R, options?: AddOptions): void;
}

/** The queue of a controller. It contains no duplicates and never returns an item that is being processed. */
export interface Queue<R> extends AddOnlyQueue<R> {
  /**
   * Waits for an item.
   *
   * @returns the item, or `undefined` when the queue is shut down
   */
  get(): Promise<QueueItem<R> | undefined>;
  /**
   * Unlocks an item. Call it for each item that {@link get} returned, regardless of the outcome.
   *
   * @param item - the item
   */
  done(item: R): void;
  /**
   * Resets the failures of an item.
   *
   * @param item - the item
   */
  forget(item: R): void;
  /**
   * Returns the number of consecutive failures of an item.
   *
   * @param item - the item
   * @returns the number
   */
  numRequeues(item: R): number;
  /** Number of items that are ready, without delayed ones. */
  readonly length: number;
  /**
   * Sets the age of ready items to zero, before the first one is taken. Otherwise, items that a candidate has gathered
   * for hours would go before the changes after its election.
   */
  resetAges?(): void;
  /**
   * Returns when an item becomes ready, by the clock of the queue; `undefined` if it isn't queued.
   *
   * @internal
   */
  readyAt?(item: R): number | undefined;
  /** Shuts the queue down: pending calls of {@link get} resolve to `undefined`, and no more items are accepted. */
  shutDown(): void;
}
