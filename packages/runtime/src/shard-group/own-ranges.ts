import { linkSignals } from "../clock/abort.ts";
import { type Clock, sleep, type Timer } from "../clock/clock.ts";
import type { Logger } from "../log/logger.ts";
import type { StartedReconcile } from "../reconcile/shard-gate.ts";
import type { Piece } from "../shards/divide.ts";
import { type KeyCount, keysIn, objectsOf, sortedKeys } from "../shards/keys.ts";
import {
  containsHash,
  formatHash,
  type HashRange,
  intersectRanges,
  mergeRanges,
  subtractRanges,
} from "../shards/ranges.ts";
import { rangesOf, type ShardTable, transferRanges } from "../shards/table.ts";
import { withCounts } from "./group-state.ts";
import { RunningReconciles } from "./running-reconciles.ts";
import type { TableWriter } from "./table-writer.ts";
import type { MoveReason, ShardGroupMetrics, ShardWork } from "./work.ts";

export interface OwnRangesOptions {
  /** Name of the member. */
  name: string;
  work: ShardWork;
  writer: TableWriter;
  clock: Clock;
  log: Logger;
  metrics: ShardGroupMetrics;
  /** Time in milliseconds until the signals of reconciles abort. */
  drainTimeout: number;
  /** Time in milliseconds for which a write without a response can still arrive. */
  answerTime: number;
  /** Stops everything. */
  signal: AbortSignal;
  /** Called after each change. */
  onChange: () => void;
  /** Called after a range was listed or given away. */
  onMoved: () => void;
}

/** Time in milliseconds after which a reconcile that ignores its signal is reported. */
const graceTime = 5000;

/** The ranges of this process: lists those that it receives, and drains those that it gives away. */
export class OwnRanges {
  readonly #options: OwnRangesOptions;
  readonly #running = new RunningReconciles();
  /** The ranges whose objects are in the cache. */
  #held: HashRange[] = [];
  /** The ranges that are given away: nothing starts in them. */
  #closing: HashRange[] = [];
  /** The ranges that are being listed. */
  #acquiring: HashRange[] = [];
  #open: HashRange[] = [];
  #isClosed = false;
  #listing: ReturnType<typeof linkSignals> | undefined;
  #giving: Promise<void> | undefined;

  constructor(options: OwnRangesOptions) {
    this.#options = options;
  }

  /** The ranges in which reconciles may start: sorted and merged. */
  get open(): readonly HashRange[] {
    return this.#open;
  }

  /** The ranges that are being listed. */
  get acquiring(): readonly HashRange[] {
    return this.#acquiring;
  }

  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  get isListing(): boolean {
    return this.#listing !== undefined;
  }

  get isGiving(): boolean {
    return this.#giving !== undefined;
  }

  /** Whether reconciles of an object may start. */
  owns(hash: bigint): boolean {
    return containsHash(this.#open, hash);
  }

  /** Whether this process has, or is about to have, the object. */
  keeps(hash: bigint): boolean {
    return containsHash(this.#held, hash) || containsHash(this.#acquiring, hash);
  }

  /** Records a reconcile, so that the range of its object is given away only after its end. */
  begin(hash: bigint, signal: AbortSignal): StartedReconcile {
    return this.#running.begin(hash, signal);
  }

  /** Returns the keys of the objects in the cache. */
  keys(): KeyCount[] {
    return sortedKeys(this.#options.work.counted());
  }

  /** Starts nothing more, in any range. */
  close(): void {
    this.#isClosed = true;
    this.#listing?.abort();
    this.#reopen();
  }

  /** Ends a list that is under way. */
  stopListing(): void {
    this.#listing?.abort();
  }

  /** Resolves when nothing moves. */
  async settled(): Promise<void> {
    await this.#giving;
  }

  /** Returns whether the table has ranges of this process for another owner, which it hasn't given away. */
  hasLost(table: ShardTable): boolean {
    const kept = subtractRanges(this.#held, this.#closing);
    return subtractRanges(kept, rangesOf(table, this.#options.name)).length > 0;
  }

  /** Returns the ranges that the table has given to this process. */
  gained(table: ShardTable): HashRange[] {
    return this.#isClosed ? [] : subtractRanges(rangesOf(table, this.#options.name), this.#held);
  }

  /** Lists ranges that belong to this process. Reconciles of their objects start when all kinds are listed. */
  async list(gained: HashRange[], reason: MoveReason): Promise<void> {
    const { work, clock, log, metrics, signal } = this.#options;
    const listing = linkSignals(signal);
    this.#listing = listing;
    this.#acquiring = gained;
    const started = clock.now();
    let isListed = false;
    try {
      await work.acquire(gained, listing.signal);
      isListed = !listing.signal.aborted;
    } catch (error) {
      if (!listing.signal.aborted) log.error(error, "Failed to list the objects of a range");
    }
    listing.release();
    if (isListed) {
      this.#held = mergeRanges([...this.#held, ...gained]);
      metrics.took("list", (clock.now() - started) / 1000);
      metrics.moved("in", reason);
      for (const range of gained) this.#report("Range acquired", range, reason);
    } else work.release(gained);
    this.#acquiring = [];
    this.#listing = undefined;
    this.#reopen();
    this.#options.onMoved();
  }

  /** Gives ranges away: starts nothing new, waits for the last reconcile, updates the table, drops the objects. */
  give(pieces: readonly Piece[], reason: MoveReason): void {
    this.#closing = mergeRanges(pieces);
    this.#reopen();
    this.#giving = this.#give(pieces, reason)
      .catch((error: unknown) => this.#options.log.error(error, "Failed to release a range"))
      .finally(() => {
        this.#closing = [];
        this.#giving = undefined;
        this.#reopen();
        this.#options.onMoved();
      });
  }

  async #give(pieces: readonly Piece[], reason: MoveReason): Promise<void> {
    const { work, writer, clock, metrics, name, answerTime, signal } = this.#options;
    const ranges = mergeRanges(pieces);
    for (const range of ranges) this.#report("Draining a range", range, reason);
    const started = clock.now();
    await this.#drain(ranges);
    metrics.took("drain", (clock.now() - started) / 1000);
    const quietAt = work.lastUnansweredWrite() + answerTime;
    if (quietAt > clock.now()) await sleep(clock, quietAt - clock.now(), signal);
    // From now on, the ranges are given away: the update can be stored although its response is lost.
    const isGiven = await writer.update((table) => {
      if (intersectRanges(rangesOf(table, name), ranges).length === 0) return undefined;
      const keys = this.keys();
      const count = (of: HashRange): number => objectsOf(keysIn(keys, of));
      return transferRanges(withCounts(table, name, this.#held, keys), pieces, { from: name, to: "", count });
    }, signal);
    if (!isGiven) return;
    for (const range of ranges) this.#report("Range released", range, reason);
    metrics.moved("out", reason);
    this.#held = subtractRanges(this.#held, ranges);
    work.release(ranges);
  }

  async #drain(ranges: readonly HashRange[]): Promise<void> {
    const { clock, log, drainTimeout, name: member, signal } = this.#options;
    let timer: Timer | undefined;
    const warn = (): void => {
      const reconciles = this.#running.countIn(ranges);
      log.warn("A range can't move, because reconciles ignore their signal", { reconciles, member });
    };
    const abort = (): void => {
      const error = new Error(`the range of the object moves, and the reconcile took longer than ${drainTimeout} ms`);
      this.#running.abortIn(ranges, error);
      timer = clock.setTimeout(warn, graceTime);
    };
    timer = clock.setTimeout(abort, drainTimeout);
    await this.#running.drained(ranges, signal);
    clock.clearTimeout(timer);
  }

  #reopen(): void {
    this.#open = this.#isClosed ? [] : subtractRanges(this.#held, this.#closing);
    this.#options.onChange();
  }

  #report(message: string, range: HashRange, reason: MoveReason): void {
    const { start, end } = range;
    const objects = objectsOf(keysIn(this.keys(), range));
    const fields = { start: formatHash(start), end: formatHash(end), member: this.#options.name, objects, reason };
    this.#options.log.info(message, fields);
  }
}
