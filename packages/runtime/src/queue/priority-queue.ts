import { type Clock, systemClock, type Timer } from "../clock/clock.ts";
import { Heap } from "./heap.ts";
import { noQueueMetrics, type QueueMetrics } from "./metrics.ts";
import type { AddOptions, Queue, QueueItem } from "./queue.ts";
import { ExponentialBackoff, type RateLimiter } from "./rate-limiter.ts";
import type { Reason } from "./reason.ts";

/** Options of a {@link PriorityQueue}. */
export interface PriorityQueueOptions<R> {
  /** Returns the identity of an item. Items with equal keys are the same item. */
  keyOf: (item: R) => string;
  /**
   * Clock of delays and ages.
   *
   * @defaultValue {@link systemClock}
   */
  clock?: Clock;
  /**
   * Computes how long failed items wait.
   *
   * @defaultValue {@link ExponentialBackoff}
   */
  rateLimiter?: RateLimiter;
  /**
   * Receives the metrics.
   *
   * @defaultValue none
   *
   * @internal
   */
  metrics?: QueueMetrics;
}

/** The entry of a key, which is delayed until `readyAt` and ready afterwards. */
interface Entry<R> {
  key: string;
  item: R;
  priority: number;
  reasons: Reason[];
  readyAt: number;
  ready: boolean;
  /** Orders ready entries: see `rank`. */
  rank: number;
  sequence: number;
  /** When the entry first became ready. Later changes of its priority don't change it. */
  since: number;
  /** Its positions in the heaps. */
  readyPosition: number;
  oldestPosition: number;
  delayedPosition: number;
}

/** Waiting time in milliseconds that equals one step of priority: low priority (-100) is compensated after ten seconds. */
const millisecondsPerPriority = 100;
/** Time in milliseconds after which an entry takes precedence, regardless of its priority. */
const longestWait = 10_000;
const maxReasons = 16;

/**
 * The default queue of controllers. Items of higher priority take precedence, but age counts: 100 ms of waiting equal one
 * step of priority. After ten seconds, an item takes precedence over all newer ones. The initial list therefore yields to
 * new changes without starving.
 */
export class PriorityQueue<R> implements Queue<R> {
  readonly #keyOf: (item: R) => string;
  readonly #clock: Clock;
  readonly #rateLimiter: RateLimiter;
  readonly #metrics: QueueMetrics;
  readonly #entries = new Map<string, Entry<R>>();
  readonly #locked = new Map<string, { item: R; since: number }>();
  /** The keys of the locked items, which `forget` and `done` need. */
  readonly #lockedKeys = new Map<R, string>();
  readonly #ready = new Heap<Entry<R>>(goesBefore, "readyPosition");
  readonly #oldest = new Heap<Entry<R>>(isOlder, "oldestPosition");
  readonly #delayed = new Heap<Entry<R>>(isDueBefore, "delayedPosition");
  #waiters: ((item: QueueItem<R> | undefined) => void)[] = [];
  #sequence = 0;
  #length = 0;
  #timer: { at: number; timer: Timer } | undefined;
  #shutDown = false;

  /**
   * Creates a queue.
   *
   * @param options - see {@link PriorityQueueOptions}
   */
  constructor(options: PriorityQueueOptions<R>) {
    this.#keyOf = options.keyOf;
    this.#clock = options.clock ?? systemClock;
    this.#rateLimiter = options.rateLimiter ?? new ExponentialBackoff();
    this.#metrics = options.metrics ?? noQueueMetrics;
    this.#metrics.inWork(() => {
      const now = this.#clock.now();
      return [...this.#locked.values()].map(({ since }) => (now - since) / 1000);
    });
  }

  /** Number of items that are ready, without delayed ones. */
  get length(): number {
    return this.#length;
  }

  /** Number of delayed items. */
  get delayed(): number {
    return this.#delayed.size;
  }

  /**
   * Adds an item. If it is already queued, the higher priority and the earlier time apply.
   *
   * @param item - the item
   * @param options - see {@link AddOptions}
   */
  add(item: R, options: AddOptions = {}): void {
    if (this.#shutDown) return;
    const key = this.#keyOf(item);
    const priority = options.priority ?? 0;
    const delay = this.#delay(key, options);
    if (delay > 0) this.#metrics.retry();
    const now = this.#clock.now();
    let entry = this.#entries.get(key);
    if (!entry) {
      entry = {
        key,
        item,
        priority,
        reasons: [],
        readyAt: now + delay,
        ready: false,
        rank: 0,
        sequence: 0,
        since: 0,
        readyPosition: -1,
        oldestPosition: -1,
        delayedPosition: -1,
      };
      this.#entries.set(key, entry);
      this.#metrics.add();
      if (delay > 0) this.#schedule(entry);
      else this.#makeReady(entry, now);
    } else {
      this.#merge(entry, priority, now + delay, now);
    }
    addReason(entry.reasons, options.reason);
    this.#serve();
  }

  /**
   * Waits for an item.
   *
   * @returns the item, or `undefined` when the queue is shut down
   */
  get(): Promise<QueueItem<R> | undefined> {
    if (this.#shutDown) return Promise.resolve(undefined);
    const next = this.#take();
    if (next) return Promise.resolve(next);
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /**
   * Unlocks an item.
   *
   * @param item - the item
   */
  done(item: R): void {
    const key = this.#keyOfLocked(item);
    const lock = this.#locked.get(key);
    if (lock === undefined) return;
    this.#locked.delete(key);
    this.#lockedKeys.delete(lock.item);
    this.#metrics.workDuration((this.#clock.now() - lock.since) / 1000);
    const entry = this.#entries.get(key);
    if (entry?.ready) this.#enqueue(entry);
    this.#serve();
  }

  /**
   * Resets the failures of an item.
   *
   * @param item - the item
   */
  forget(item: R): void {
    this.#rateLimiter.forget(this.#keyOfLocked(item));
  }

  /**
   * Returns the number of consecutive failures of an item.
   *
   * @param item - the item
   * @returns the number
   */
  numRequeues(item: R): number {
    return this.#rateLimiter.retries(this.#keyOf(item));
  }

  /**
   * Returns when an item becomes ready, by the clock of the queue.
   *
   * @param item - the item
   * @returns the time; `undefined` if it isn't queued
   * @internal
   */
  readyAt(item: R): number | undefined {
    return this.#entries.get(this.#keyOf(item))?.readyAt;
  }

  /** Sets the age of ready items to zero. */
  resetAges(): void {
    const now = this.#clock.now();
    for (const entry of this.#entries.values()) {
      if (!entry.ready) continue;
      entry.since = now;
      entry.rank = rank(now, entry.priority);
      if (!this.#locked.has(entry.key)) this.#enqueue(entry);
    }
  }

  /** Drops all items and shuts the queue down. Pending calls of {@link get} resolve to `undefined`. */
  shutDown(): void {
    this.#shutDown = true;
    this.#clock.clearTimeout(this.#timer?.timer);
    for (const entry of this.#entries.values()) if (entry.ready) this.#metrics.depth(entry.priority, -1);
    this.#entries.clear();
    this.#ready.clear();
    this.#oldest.clear();
    this.#delayed.clear();
    this.#length = 0;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve(undefined);
  }

  #keyOfLocked(item: R): string {
    return this.#lockedKeys.get(item) ?? this.#keyOf(item);
  }

  #delay(key: string, options: AddOptions): number {
    const after = options.after ?? 0;
    if (!options.rateLimited) return Math.max(0, after);
    const limited = this.#rateLimiter.when(key);
    return after > 0 ? Math.min(after, limited) : limited;
  }

  #merge(entry: Entry<R>, priority: number, readyAt: number, now: number): void {
    const raised = priority > entry.priority;
    if (entry.ready) {
      if (!raised) return;
      this.#metrics.depth(entry.priority, -1);
      this.#metrics.depth(priority, 1);
      entry.priority = priority;
      // Moves to the tail of its new priority, unless its age has already brought it further.
      entry.rank = Math.min(entry.rank, rank(now, priority));
      entry.sequence = this.#sequence++;
      if (!this.#locked.has(entry.key)) this.#enqueue(entry);
      return;
    }
    if (raised) entry.priority = priority;
    if (readyAt >= entry.readyAt) return;
    entry.readyAt = readyAt;
    if (readyAt <= now) this.#makeReady(entry, now);
    else this.#schedule(entry);
  }

  #makeReady(entry: Entry<R>, at: number): void {
    this.#delayed.remove(entry);
    entry.ready = true;
    entry.since = at;
    entry.rank = rank(at, entry.priority);
    entry.sequence = this.#sequence++;
    this.#length++;
    this.#metrics.depth(entry.priority, 1);
    if (!this.#locked.has(entry.key)) this.#enqueue(entry);
  }

  /** Adds an entry to the heaps of available items. Locked entries are excluded until `done`, so they block no others. */
  #enqueue(entry: Entry<R>): void {
    this.#ready.put(entry);
    this.#oldest.put(entry);
  }

  #schedule(entry: Entry<R>): void {
    entry.sequence = this.#sequence++;
    this.#delayed.put(entry);
    this.#armTimer();
  }

  #armTimer(): void {
    const at = this.#delayed.peek()?.readyAt;
    if (at === undefined || (this.#timer && this.#timer.at <= at)) return;
    this.#clock.clearTimeout(this.#timer?.timer);
    this.#timer = { at, timer: this.#clock.setTimeout(() => this.#onTimer(), at - this.#clock.now()) };
  }

  #onTimer(): void {
    this.#timer = undefined;
    const now = this.#clock.now();
    for (let entry = this.#delayed.peek(); entry; entry = this.#delayed.peek()) {
      // Timers may fire a fraction of a millisecond early.
      if (entry.readyAt > now + 0.5) break;
      this.#makeReady(entry, Math.min(entry.readyAt, now));
    }
    this.#armTimer();
    this.#serve();
  }

  #serve(): void {
    while (this.#waiters.length > 0) {
      const next = this.#take();
      if (!next) return;
      this.#waiters.shift()!(next);
    }
  }

  #take(): QueueItem<R> | undefined {
    const best = this.#ready.peek();
    const oldest = this.#oldest.peek();
    if (!best || !oldest) return undefined;
    const now = this.#clock.now();
    const entry = now - oldest.since >= longestWait ? oldest : best;
    this.#ready.remove(entry);
    this.#oldest.remove(entry);
    this.#entries.delete(entry.key);
    this.#locked.set(entry.key, { item: entry.item, since: now });
    this.#lockedKeys.set(entry.item, entry.key);
    this.#length--;
    this.#metrics.depth(entry.priority, -1);
    this.#metrics.queueDuration((now - entry.since) / 1000);
    return { item: entry.item, priority: entry.priority, reasons: entry.reasons };
  }
}

function rank(readyAt: number, priority: number): number {
  return readyAt - priority * millisecondsPerPriority;
}

function goesBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  if (a.rank !== b.rank) return a.rank < b.rank;
  if (a.priority !== b.priority) return a.priority > b.priority;
  return a.sequence < b.sequence;
}

function isOlder(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.since < b.since || (a.since === b.since && a.sequence < b.sequence);
}

function isDueBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.readyAt < b.readyAt || (a.readyAt === b.readyAt && a.sequence < b.sequence);
}

function addReason(reasons: Reason[], reason: Reason | undefined): void {
  if (!reason || reasons.length >= maxReasons) return;
  const isListed = reasons.some(
    (r) =>
      r.type === reason.type && r.kind === reason.kind && r.name === reason.name && r.namespace === reason.namespace,
  );
  if (!isListed) reasons.push(reason);
}
