import { linkSignals, newController, timeoutSignal } from "../clock/abort.ts";
import { sleep } from "../clock/clock.ts";
import type { StartedReconcile } from "../reconcile/shard-gate.ts";
import {
  deviationOf,
  type MemberLoad,
  type MemberState,
  nextMove,
  piecesToLeave,
  pieceToGive,
  rangeToTake,
} from "../shards/balance.ts";
import { equalShares, type Piece, prefixOf } from "../shards/divide.ts";
import { type KeyCount, keysIn, objectsOf, sortedKeys } from "../shards/keys.ts";
import { everything, type HashRange, intersectRanges } from "../shards/ranges.ts";
import { rangesOf, type ShardEntry, transferRanges } from "../shards/table.ts";
import type { ShardGroupOptions } from "./group-options.ts";
import { BalancingTrigger, ForeignLeader, PendingMoves, slackOf } from "./group-state.ts";
import { LeaseObserver, type ObservedTable } from "./lease-observer.ts";
import { MemberLease } from "./member-lease.ts";
import { OwnRanges } from "./own-ranges.ts";
import { TableWriter } from "./table-writer.ts";
import { type MoveReason, noShardGroupMetrics, type ShardGroupMetrics } from "./work.ts";

/** Time in milliseconds after its start in which a process takes nothing, because others may start, too. */
const settleTime = 5000;

/**
 * A member of a group whose members share the objects of an operator. It decides alone, by the Leases that it sees, which ranges
 * it takes, gives away and drops. No two processes ever own a range at the same time.
 */
export class ShardGroup {
  readonly name: string;
  /** Rejects when this process must end. */
  readonly lost: Promise<never>;
  readonly #options: ShardGroupOptions;
  readonly #observer: LeaseObserver;
  readonly #member: MemberLease;
  readonly #writer: TableWriter;
  readonly #own: OwnRanges;
  readonly #pending = new PendingMoves();
  readonly #trigger: BalancingTrigger;
  readonly #foreign: ForeignLeader;
  readonly #metrics: ShardGroupMetrics;
  readonly #stop = newController();
  #startedAt = 0;
  #state: MemberState = "joining";
  #isIndivisible = false;
  /** Whether an operator without sharding leads. */
  #isStandby = false;
  #warnedOf: string | undefined;
  #reason: MoveReason = "join";
  #failure: Error | undefined;
  #fail: (error: Error) => void = () => {};
  #wake: () => void = () => {};

  constructor(options: ShardGroupOptions) {
    const { client, group, clock, random, log, listWatch, gate, retryPeriod, settings, name } = options;
    this.name = name;
    this.#options = options;
    this.#metrics = options.metrics ?? noShardGroupMetrics;
    this.#trigger = new BalancingTrigger(settings.tolerance);
    this.#foreign = new ForeignLeader(2 * retryPeriod);
    this.lost = new Promise((_, reject) => {
      this.#fail = reject;
    });
    // Without a listener, it must not be reported as unhandled.
    this.lost.catch(() => {});
    this.#observer = new LeaseObserver({
      id: group.id,
      listWatch,
      gate,
      clock,
      random,
      log,
      onChange: () => this.#wake(),
      onBrokenTable: (error) => this.#lose(error),
    });
    this.#member = new MemberLease({
      ...options,
      status: () => ({ state: this.#state, objects: this.#ownObjects(), isIndivisible: this.#isIndivisible }),
      onWritten: (lease) => this.#observer.accept(lease),
    });
    const mayWriteFor = () => this.#member.freshFor;
    this.#writer = new TableWriter({ client, group, observer: this.#observer, clock, log, retryPeriod, mayWriteFor });
    this.#own = new OwnRanges({
      name,
      work: options.work,
      writer: this.#writer,
      clock,
      log,
      metrics: this.#metrics,
      drainTimeout: settings.drainTimeout,
      answerTime: options.leaseDuration - options.renewDeadline,
      signal: this.#stop.signal,
      onChange: () => options.onChange?.(),
      onMoved: () => {
        void this.#member.renew(this.#stop.signal);
        this.#wake();
      },
    });
  }

  /** The ranges in which reconciles may start: sorted and merged. */
  get ranges(): readonly HashRange[] {
    return this.#failure ? [] : this.#own.open;
  }

  /** The names of the members. */
  get members(): readonly string[] {
    return [...this.#observer.members.keys()].sort();
  }

  /**
   * Whether this process has joined, and its Lease is fresh. While an operator without sharding leads, waiting is enough:
   * a rolling update ends that operator only when this process is ready.
   */
  get hasJoined(): boolean {
    return (this.#state !== "joining" || this.#isStandby) && this.#member.isFresh;
  }

  /** Whether this process may write: it has no Lease yet, or its Lease is fresh. */
  get mayWrite(): boolean {
    return !this.#member.exists || this.#member.isFresh;
  }

  /** Whether a reconcile of an object may start. */
  mayStart(hash: bigint): boolean {
    return this.#member.isFresh && this.#failure === undefined && this.#own.owns(hash);
  }

  /** Whether this process has, or is about to have, the object. Requests of other objects are dropped. */
  keeps(hash: bigint): boolean {
    return this.#own.keeps(hash);
  }

  /** Records a reconcile, so that the range of its object is given away only after its end. */
  begin(hash: bigint, signal: AbortSignal): StartedReconcile {
    return this.#own.begin(hash, signal);
  }

  /**
   * Joins the group, and works in it until the signal aborts, {@link end} is called or the membership is lost.
   *
   * @param onJoining - called when the Lease exists
   */
  async run(outer: AbortSignal, onJoining: () => void = () => {}): Promise<void> {
    const { clock, log, retryPeriod } = this.#options;
    const { signal } = this.#stop;
    const stop = (): void => this.#stop.abort();
    if (outer.aborted) stop();
    outer.addEventListener("abort", stop, { once: true });
    this.#startedAt = clock.now();
    try {
      if (!(await this.#member.create(signal))) return;
      log.info("Joined the shard group", { member: this.name });
      onJoining();
      const observing = this.#observer.run(signal);
      const keeping = this.#member.keep(signal).then((isKept) => {
        if (!isKept) this.#lose(new Error("shard membership lost"));
      });
      while (!signal.aborted) {
        const pause = linkSignals(signal);
        this.#wake = () => pause.abort();
        await this.#step(signal);
        await sleep(clock, retryPeriod / 2, pause.signal);
        pause.release();
      }
      await Promise.all([observing, keeping, this.#own.settled()]);
    } finally {
      outer.removeEventListener("abort", stop);
    }
  }

  /** Gives all ranges away, each when its last reconcile has ended. Resolves when this process owns nothing. */
  async leave(): Promise<void> {
    const { signal } = this.#stop;
    this.#state = "leaving";
    this.#own.close();
    if (!this.#member.exists) return;
    await this.#member.renew(signal);
    while (!signal.aborted && this.#ownsAny()) {
      this.#wake();
      await sleep(this.#options.clock, 50, signal);
    }
  }

  /** Ends the membership. After {@link leave}, the Lease is deleted, so that no member waits for its expiry. */
  async end(): Promise<void> {
    if (!this.#failure && !this.#stop.signal.aborted && !this.#ownsAny()) await this.#member.remove();
    this.#stop.abort();
  }

  #ownsAny(): boolean {
    const { table } = this.#observer;
    return this.#own.isGiving || (table !== undefined && rangesOf(table.ranges, this.name).length > 0);
  }

  async #step(signal: AbortSignal): Promise<void> {
    if (!this.#observer.hasSynced) return;
    const { leader, clock } = this.#options;
    this.#isStandby = this.#foreign.leads(leader.holder(), this.#observer.identities, clock.now());
    await this.#removeDead(signal);
    const { table } = this.#observer;
    this.#metrics.members(this.#observer.members.size);
    const ownObjects = this.#ownObjects();
    this.#metrics.objects(ownObjects);
    if (table?.key !== this.#options.settings.key) return this.#found(table, signal);
    this.#pending.observe(table, this.#observer);
    if (this.#own.hasLost(table.ranges)) return this.#lose(new Error("shard membership lost"));
    const free = this.#freeRanges(table);
    this.#metrics.unownedRanges(table.suspendedBy === undefined ? free.length : 0);
    if (this.#own.isGiving) return;
    if (this.#isStandby || this.#state === "leaving") return this.#giveAll(table, ownObjects);
    if (table.suspendedBy !== undefined) return this.#resume(signal);
    if (this.#own.isListing) return;
    const gained = this.#own.gained(table.ranges);
    if (gained.length > 0) {
      void this.#own.list(gained, this.#reasonToTake());
      return;
    }
    if (this.#state === "joining") {
      if (this.#options.clock.now() - this.#startedAt < settleTime) return;
      this.#state = "active";
      await this.#member.renew(signal);
    }
    const loads = this.#loads(ownObjects);
    if (free.length > 0) return this.#take(free, loads, signal);
    await this.#balance(table, loads, signal);
  }

  /** Deletes the Leases of members whose renewals have stopped, unless they are renewed in the meantime. */
  async #removeDead(outer: AbortSignal): Promise<void> {
    const { client, clock, leaseDuration, log } = this.#options;
    for (const { name, lease, seenAt } of [...this.#observer.members.values()]) {
      if (name === this.name || clock.now() - seenAt < leaseDuration || !this.#member.isFresh) continue;
      const { uid, resourceVersion } = lease.metadata;
      const { signal, release } = timeoutSignal(clock, this.#member.freshFor, outer);
      try {
        await client.delete(lease, { preconditions: { uid, resourceVersion }, signal });
      } catch (error) {
        // It has been renewed or deleted, which the watch reports.
        log.debug("The Lease of a silent member wasn't deleted", { member: name, error: String(error) });
      } finally {
        release();
      }
    }
  }

  /** Creates the table, or replaces an unused one with another key. */
  async #found(table: ObservedTable | undefined, signal: AbortSignal): Promise<void> {
    const { clock, leader, leaseDuration, settings } = this.#options;
    const others = [...this.#observer.members.values()].filter(({ name }) => name !== this.name);
    if (table && others.some(({ state, hasRenewed }) => state !== "joining" && hasRenewed)) {
      const rule = `the running replicas use ${JSON.stringify(table.key)}: scale to zero replicas to change it`;
      return this.#lose(new Error(`sharding.key is ${JSON.stringify(settings.key)}, but ${rule}`));
    }
    // No other process can own a range of an earlier table, and only the leader creates one.
    const mayCreate = (): boolean =>
      clock.now() - this.#startedAt >= leaseDuration &&
      leader.isSafe() &&
      this.#member.isFresh &&
      [...this.#observer.members.values()].every(({ state }) => state === "joining");
    const keys = mayCreate() ? await this.#count([everything], signal) : undefined;
    if (!keys || !mayCreate()) return;
    const { members } = this;
    const ranges = equalShares(keys, members.length).map((share, index) => ({ ...share, owner: members[index]! }));
    const content = { key: settings.key, ranges };
    await (table ? this.#writer.replace(content, signal) : this.#writer.create(content, signal));
  }

  async #count(ranges: readonly HashRange[], signal: AbortSignal): Promise<readonly KeyCount[] | undefined> {
    try {
      return sortedKeys(await this.#options.work.count(ranges, signal));
    } catch (error) {
      if (!signal.aborted) this.#options.log.error(error, "Failed to count the objects of the shards");
      return undefined;
    }
  }

  #reasonToTake(): MoveReason {
    if (this.#reason === "dead") return "dead";
    const isLeft = [...this.#observer.members.values()].some(({ state }) => state === "leaving");
    return isLeft ? "leave" : this.#own.isEmpty ? "join" : "balance";
  }

  #freeRanges(table: ObservedTable): ShardEntry[] {
    return table.ranges.filter(({ owner }) => owner === "" || this.#isDead(owner));
  }

  /** Whether a member's Lease is gone, and its last renewal is too old for it to act. */
  #isDead(owner: string): boolean {
    const { clock, leaseDuration } = this.#options;
    if (this.#observer.members.has(owner)) return false;
    const since = Math.max(this.#observer.lastSeen(owner) ?? this.#startedAt, this.#startedAt);
    return clock.now() - since >= leaseDuration;
  }

  async #take(free: readonly ShardEntry[], loads: readonly MemberLoad[], signal: AbortSignal): Promise<void> {
    const { tolerance } = this.#options.settings;
    const choice = rangeToTake(free, loads, { name: this.name, tolerance });
    if (!choice) return;
    const { range, part } = choice;
    const keys = part === undefined ? [] : await this.#count([range], signal);
    if (!keys) return;
    const piece: Piece = part === undefined ? range : prefixOf(keys, range, part);
    const count = (of: HashRange): number => objectsOf(keysIn(keys, of));
    const isChosen = ({ start, end, owner }: ShardEntry): boolean =>
      start === range.start && end === range.end && owner === range.owner;
    this.#reason = range.owner === "" ? "balance" : "dead";
    await this.#writer.update((table) => {
      // Another member may have taken it. A member that leaves takes nothing.
      const isSuspended = this.#observer.table?.suspendedBy !== undefined;
      if (this.#state !== "active" || isSuspended || !table.some(isChosen)) return undefined;
      return transferRanges(table, [piece], { from: range.owner, to: this.name, count });
    }, signal);
  }

  async #balance(table: ObservedTable, loads: readonly MemberLoad[], signal: AbortSignal): Promise<void> {
    const { clock, settings } = this.#options;
    const { tolerance } = settings;
    const sharing = loads.filter(({ isIndivisible }) => !isIndivisible);
    if (!this.#trigger.isActive(loads, deviationOf(sharing), clock.now())) return this.#setIndivisible(false, signal);
    const move = nextMove(loads, tolerance);
    if (move?.from !== this.name) return;
    const keys = this.#own.keys();
    const objectsAt = (name: string): number => loads.find((load) => load.name === name)?.objects ?? 0;
    const piece = pieceToGive({
      keys,
      ranges: this.#own.open,
      receiver: rangesOf(table.ranges, move.to),
      wanted: move.objects,
      difference: objectsAt(this.name) - objectsAt(move.to),
      slack: slackOf(sharing, tolerance),
    });
    if (piece) return this.#own.give([piece], "balance");
    this.#warnOfLargest(keys);
    await this.#setIndivisible(true, signal);
  }

  #warnOfLargest(keys: readonly KeyCount[]): void {
    const largest = [...keys].sort((a, b) => b.objects - a.objects)[0];
    if (!largest || largest.key === this.#warnedOf) return;
    this.#warnedOf = largest.key;
    const { log, settings } = this.#options;
    const fields = { [settings.key]: largest.key, objects: largest.objects, member: this.name };
    if (settings.key === "uid") log.warn("The objects of the shards can't be balanced", fields);
    else log.warn('The objects of one namespace prevent balance: sharding.key "uid" divides them', fields);
  }

  async #setIndivisible(isIndivisible: boolean, signal: AbortSignal): Promise<void> {
    if (this.#isIndivisible === isIndivisible) return;
    this.#isIndivisible = isIndivisible;
    await this.#member.renew(signal);
  }

  #giveAll(table: ObservedTable, ownObjects: number): void {
    this.#own.stopListing();
    const mine = rangesOf(table.ranges, this.name);
    if (mine.length === 0 || this.#own.isListing) return;
    const staying = this.#loads(ownObjects).filter(({ name, state }) => name !== this.name && state === "active");
    const pieces = piecesToLeave(this.#own.keys(), mine, staying, this.#options.settings.tolerance);
    this.#own.give(pieces, "leave");
  }

  #loads(objects: number): MemberLoad[] {
    return this.#pending.loads(this.#observer, { name: this.name, objects });
  }

  /** Ends the suspension of the table by a leader without sharding. Only the next leader does, because then that one has ended. */
  async #resume(signal: AbortSignal): Promise<void> {
    const { table } = this.#observer;
    if (!table || !this.#options.leader.isSafe() || !this.#member.isFresh) return;
    await this.#writer.replace({ ...table, suspendedBy: undefined }, signal);
  }

  /** Returns the number of objects in the cache, and in the ranges that are being listed. */
  #ownObjects(): number {
    let objects = 0;
    for (const count of this.#options.work.counted().values()) objects += count;
    const { acquiring } = this.#own;
    if (acquiring.length === 0) return objects;
    const listed = (this.#observer.table?.ranges ?? []).filter(
      (entry) => entry.owner === this.name && intersectRanges([entry], acquiring).length > 0,
    );
    return listed.reduce((sum, entry) => sum + entry.objects, objects);
  }

  #lose(error: Error): void {
    if (this.#failure || this.#stop.signal.aborted) return;
    this.#failure = error;
    this.#options.log.error(error, "Shard membership lost", { member: this.name });
    this.#stop.abort();
    this.#fail(error);
    this.#options.onChange?.();
  }
}
