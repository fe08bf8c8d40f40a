import { setImmediate as turn } from "node:timers/promises";

/** Number of turns of the event loop without work after which all handlers are done. */
const quietTurns = 3;
/** Time limit in milliseconds when a handler has exceeded the first one: it may never end. */
const laterLimit = 100;

/** Waits for the handlers of events, which enqueue requests. */
export class Handlers {
  readonly #timeout: number;
  readonly #isIdle: () => boolean;
  readonly #onLate: () => void;
  #isLate = false;

  /**
   * @param timeout - the time limit in milliseconds
   * @param isIdle - returns whether all events were received, and no handler works
   * @param onLate - called once if the handlers take longer
   */
  constructor(timeout: number, isIdle: () => boolean, onLate: () => void) {
    this.#timeout = timeout;
    this.#isIdle = isIdle;
    this.#onLate = onLate;
  }

  /** Waits until all planned writes have reached the handlers, and these are done, or for the time limit. */
  async settled(): Promise<void> {
    const until = performance.now() + (this.#isLate ? Math.min(laterLimit, this.#timeout) : this.#timeout);
    for (let quiet = 0; performance.now() < until; ) {
      await turn();
      quiet = this.#isIdle() ? quiet + 1 : 0;
      if (quiet === quietTurns) return;
    }
    if (this.#isLate) return;
    this.#isLate = true;
    this.#onLate();
  }
}
