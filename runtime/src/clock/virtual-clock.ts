import type { Clock, Timer } from "./clock.ts";

interface VirtualTimer extends Timer {
  at: number;
  sequence: number;
  callback: () => void;
}

/**
 * A clock that stands still until {@link VirtualClock.advance} moves it: queues, back-off and leases are tested in no time.
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

  constructor(start: Date = new Date("2026-01-01T00:00:00Z")) {
    this.#start = start.getTime();
  }

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(this.#start + this.#now);
  }

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

  clearTimeout(timer: Timer | undefined): void {
    if (timer) this.#timers.delete(timer as VirtualTimer);
  }

  /** How many timers are set. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Moves the time on by so many milliseconds, fires what is due in its order, and lets promises settle in between. */
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

/** Runs everything that is ready: promise chains of any usual length. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
