import type { Clock } from "../clock/clock.ts";
import type { AddOptions, Queue, QueueItem } from "../queue/queue.ts";
import { requestKey } from "../reconcile/request.ts";
import type { ReconcileReason } from "../session/records.ts";
import { keyText } from "./key-text.ts";

/** A reason with the time when it takes effect, by the clock of the queue. */
interface Pending {
  readonly reason: ReconcileReason;
  readonly due: number;
}

const maxReasons = 16;

/** A queue that keeps the reasons of its items, and can be paused. */
export class InspectedQueue<R> implements Queue<R> {
  readonly #inner: Queue<R>;
  readonly #clock: Clock;
  /** By key, for items in the queue. */
  readonly #pending = new Map<string, { item: R; reasons: Pending[] }>();
  /** By key, for items that are being reconciled. */
  readonly #taken = new Map<string, { item: R; reasons: readonly ReconcileReason[] }>();
  /** Set by the caller of {@link explain} for its next synchronous call of {@link add}. */
  #explanation: ReconcileReason | undefined;
  #resume: (() => void) | undefined;
  #resumed: Promise<void> | undefined;
  #isShutDown = false;

  readonly #onDone: (item: R, retry: ReconcileReason | undefined) => void;

  /** @param onDone - receives an item whose reconcile is over, and why it is enqueued again if it failed */
  constructor(inner: Queue<R>, clock: Clock, onDone: (item: R, retry: ReconcileReason | undefined) => void = () => {}) {
    this.#inner = inner;
    this.#clock = clock;
    this.#onDone = onDone;
    const { resetAges } = inner;
    if (resetAges) this.resetAges = () => resetAges.call(inner);
  }

  readonly resetAges?: () => void;

  get length(): number {
    return this.#inner.length;
  }

  /** Adds an item with a recorded reason. */
  addExplained(item: R, options: AddOptions | undefined, reason: ReconcileReason): void {
    this.#explanation = reason;
    try {
      this.add(item, options);
    } finally {
      this.#explanation = undefined;
    }
  }

  add(item: R, options: AddOptions = {}): void {
    const reason = this.#explanation ?? plainReason(options);
    this.#explanation = undefined;
    const now = this.#clock.now();
    this.#inner.add(item, options);
    if (this.#isShutDown || !reason) return;
    const key = requestKey(item);
    const isLater = options.rateLimited === true || (options.after ?? 0) > 0;
    const due = isLater ? (this.#inner.readyAt?.(item) ?? now + (options.after ?? 0)) : 0;
    // The clock goes on while the item is added, which isn't part of a requested delay.
    const passed = Math.max(0, Math.round(due - now));
    const after = isLater ? Math.min(passed, options.after ?? passed) : undefined;
    const attempts = reason.type === "retry" ? this.#inner.numRequeues(item) : undefined;
    const entry = this.#pending.get(key) ?? { item, reasons: [] };
    this.#pending.set(key, entry);
    if (entry.reasons.length >= maxReasons) return;
    entry.reasons.push({
      due,
      reason: after === undefined ? reason : { ...reason, after, ...(attempts === undefined ? {} : { attempts }) },
    });
  }

  async get(): Promise<QueueItem<R> | undefined> {
    const next = await this.#inner.get();
    if (!next) return next;
    const key = requestKey(next.item);
    const pending = this.#pending.get(key)?.reasons ?? [];
    this.#pending.delete(key);
    // A delayed reason that isn't due isn't why the item is taken now. Timers may fire slightly early.
    const now = this.#clock.now() + 1;
    const due = pending.filter((one) => one.due <= now);
    const reasons = (due.length > 0 ? due : pending).map(({ reason }) => reason);
    while (this.#resumed) await this.#resumed;
    if (this.#isShutDown) return next;
    this.#taken.set(key, { item: next.item, reasons });
    return next;
  }

  done(item: R): void {
    const key = requestKey(item);
    const retry = this.#pending.get(key)?.reasons.findLast(({ reason }) => reason.type === "retry")?.reason;
    this.#taken.delete(key);
    this.#onDone(item, retry);
    this.#inner.done(item);
  }

  forget(item: R): void {
    this.#inner.forget(item);
  }

  numRequeues(item: R): number {
    return this.#inner.numRequeues(item);
  }

  shutDown(): void {
    this.#isShutDown = true;
    this.#pending.clear();
    this.pause(false);
    this.#inner.shutDown();
  }

  /** Holds back the items that workers take, or releases them. */
  pause(paused: boolean): void {
    if (paused && !this.#isShutDown) {
      this.#resumed ??= new Promise((resolve) => {
        this.#resume = resolve;
      });
      return;
    }
    this.#resumed = undefined;
    this.#resume?.();
  }

  /** Returns why an item that is being reconciled was enqueued. */
  reasonsOf(item: R): readonly ReconcileReason[] {
    return this.#taken.get(requestKey(item))?.reasons ?? [];
  }

  /** Returns the items for people. */
  status(): { depth: number; active: string[]; delayed: { key: string; at: string; attempts: number }[] } {
    const now = this.#clock.now();
    const delayed: { key: string; at: string; attempts: number }[] = [];
    for (const { item, reasons } of this.#pending.values()) {
      const readyAt = this.#inner.readyAt?.(item) ?? Math.min(...reasons.map(({ due }) => due));
      if (readyAt <= now) continue;
      const at = new Date(this.#clock.date().getTime() + readyAt - now).toISOString();
      delayed.push({ key: keyText(item), at, attempts: this.#inner.numRequeues(item) });
    }
    const active = [...this.#taken.values()].map(({ item }) => keyText(item));
    return { depth: this.#inner.length, active, delayed };
  }
}

/** The reason of an item that no event of a source added. Without one, the worker puts the item back. */
function plainReason({ reason }: AddOptions): ReconcileReason | undefined {
  return reason && { ...reason, time: new Date().toISOString() };
}
