import type { Engine, Step } from "../registry/scope.ts";

const firstRetry = 1000;
const longestRetry = 60_000;
/** Node.js fires longer timeouts immediately. A key that is processed too early is added again by its controller. */
const longestDelay = 2 ** 31 - 1;
/** After so many keys, other timers of a simulated clock fire. */
const keysPerTurn = 100;

/**
 * Runs a function for keys, one after another, each at most once at a time. A failure is repeated after a second, then after
 * twice as long each time.
 */
export class WorkQueue {
  readonly #engine: Engine;
  readonly #work: (key: string) => Promise<void>;
  readonly #delay: () => number;
  readonly #step: Step | undefined;
  readonly #pending = new Set<string>();
  /** The delayed keys, with their times and what cancels them. */
  readonly #delayed = new Map<string, { at: number; cancel: () => void }>();
  /** How long the keys that failed wait for the next attempt. */
  readonly #retries = new Map<string, number>();
  #running = false;

  /**
   * @param engine - gives the clock
   * @param work - called with each key
   * @param delay - returns the time in milliseconds until the work begins; 0 by default
   */
  constructor(engine: Engine, work: (key: string) => Promise<void>, delay: () => number = () => 0) {
    this.#engine = engine;
    this.#work = work;
    this.#delay = delay;
    this.#step = engine.newSteps?.();
  }

  /** Adds a key, unless it is waiting already. */
  add(key: string): void {
    this.#pending.add(key);
    if (this.#running) return;
    this.#running = true;
    this.#engine.after(this.#delay(), () => void this.#run());
  }

  /**
   * Adds a key later. Of several times for a key, only the earliest counts.
   *
   * @param key - the key
   * @param milliseconds - when, from now
   */
  addAfter(key: string, milliseconds: number): void {
    if (milliseconds <= 0) {
      this.add(key);
      return;
    }
    const delay = Math.min(milliseconds, longestDelay);
    const at = this.#engine.elapsed() + delay;
    const present = this.#delayed.get(key);
    if (present !== undefined && present.at <= at) return;
    present?.cancel();
    const cancel = this.#engine.after(delay, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { at, cancel });
  }

  /** Forgets a key, for an object that is gone. */
  forget(key: string): void {
    this.#delayed.get(key)?.cancel();
    this.#delayed.delete(key);
    this.#pending.delete(key);
    this.#retries.delete(key);
  }

  async #run(): Promise<void> {
    let left = keysPerTurn;
    for (const key of this.#pending) {
      if (this.#engine.stopping.aborted) break;
      if (this.#step !== undefined) {
        try {
          await this.#step();
        } catch {
          break;
        }
        // The object may be gone after the wait.
        if (!this.#pending.has(key)) continue;
      } else if (left-- === 0) {
        this.#engine.after(0, () => void this.#run());
        return;
      }
      this.#pending.delete(key);
      try {
        await this.#work(key);
        this.#retries.delete(key);
      } catch {
        const delay = this.#retries.get(key) ?? firstRetry;
        this.#retries.set(key, Math.min(longestRetry, delay * 2));
        this.addAfter(key, delay);
      }
    }
    this.#running = false;
  }
}
