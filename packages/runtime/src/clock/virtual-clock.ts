import type { Clock, Timer } from "./clock.ts";

interface VirtualTimer extends Timer {
  at: number;
  sequence: number;
  callback: () => void;
}

/**
 * A clock for tests: its time only changes by {@link VirtualClock.advance}, so that queues, back-off and leases are
 * tested without waiting.
 *
 * @example
 * const clock = new VirtualClock();
 * const queue = new PriorityQueue({ keyOf: String, clock });
 * queue.add("a", { after: 5000 });
 * await clock.advance(5000);
 */
export class VirtualClock implements Clock {
  #now = 0;
  #sequence = 0;
  readonly #start: number;
  readonly #timers = new Set<VirtualTimer>();

  /**
   * Creates a clock.
   *
   * @param start - initial time of the wall clock, 2026-01-01T00:00:00Z by default
   */
  constructor(start: Date = new Date("2026-01-01T00:00:00Z")) {
    this.#start = start.getTime();
  }

  /**
   * Returns the time since the creation.
   *
   * @returns the time in milliseconds
   */
  now(): number {
    return this.#now;
  }

  /**
   * Returns the time of the wall clock.
   *
   * @returns the initial time plus the advanced time
   */
  date(): Date {
    return new Date(this.#start + this.#now);
  }

  /**
   * Calls a function when {@link advance} reaches its time.
   *
   * @param callback - the function
   * @param milliseconds - the time to wait in milliseconds
   * @returns a timer
   */
  setTimeout(callback: () => void, milliseconds: number): Timer {
    const timer: VirtualTimer = {
      at: this.#now + Math.max(0, milliseconds),
      sequence: this.#sequence++,
      callback,
      unref() {},
    };
    this.#timers.add(timer);
    return timer;
  }

  /**
   * Cancels a timer.
   *
   * @param timer - the timer; nothing happens if it is `undefined` or has fired
   */
  clearTimeout(timer: Timer | undefined): void {
    if (timer) this.#timers.delete(timer as VirtualTimer);
  }

  /** Number of pending timers. */
  get pending(): number {
    return this.#timers.size;
  }

  /**
   * Advances the time, fires the timers that become due in order, and lets promises settle in between.
   *
   * @param milliseconds - time in milliseconds by which to advance
   */
  async advance(milliseconds: number): Promise<void> {
    const target = this.#now + milliseconds;
    await settle();
    for (let timer = this.#next(target); timer; timer = this.#next(target)) {
      this.#now = Math.max(this.#now, timer.at);
      this.#timers.delete(timer);
      timer.callback();
      await settle();
    }
    this.#now = target;
    await settle();
  }

  #next(until: number): VirtualTimer | undefined {
    let next: VirtualTimer | undefined;
    for (const timer of this.#timers) {
      if (timer.at > until) continue;
      if (!next || timer.at < next.at || (timer.at === next.at && timer.sequence < next.sequence)) next = timer;
    }
    return next;
  }
}

/** Runs all pending promise chains of usual length. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
