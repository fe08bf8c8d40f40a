import type { Reason } from "../context.ts";

/** When and how urgently an item is to be handed out. */
export interface AddOptions {
  /** Milliseconds to wait; at once by default. */
  after?: number;
  /** Waits as the rate limiter says, and counts as a failure. */
  rateLimited?: boolean;
  /** Higher goes first; 0 by default. */
  priority?: number;
  /** Why: reconciles find it in their context. */
  reason?: Reason;
}

/** An item handed out. It is locked until `done`. */
export interface QueueItem<R> {
  item: R;
  priority: number;
  reasons: readonly Reason[];
}

/** What event handlers see of a queue. */
export interface AddOnlyQueue<R> {
  /** Queues an item; one that is queued already stays one, with the higher priority and the earlier time. */
  add(item: R, options?: AddOptions): void;
}

/** The queue of one controller: no duplicates, no item handed out twice at a time. */
export interface Queue<R> extends AddOnlyQueue<R> {
  /** Waits for an item; `undefined` once the queue is shut down. */
  get(): Promise<QueueItem<R> | undefined>;
  /** Must be called for each item handed out, whatever happened. */
  done(item: R): void;
  /** Clears the failures of an item. */
  forget(item: R): void;
  /** Failures of an item in a row. */
  numRequeues(item: R): number;
  /** Items ready to be handed out; delayed ones don't count. */
  readonly length: number;
  /**
   * What is ready counts as having become ready now; called before the first item is taken. What a candidate has gathered for
   * hours must not go before the changes that come once it is the leader.
   */
  resetAges?(): void;
  /** Ends the queue: those who wait get `undefined`, and nothing more is taken. */
  shutDown(): void;
}
