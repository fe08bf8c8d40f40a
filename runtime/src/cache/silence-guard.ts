import type { Clock, Timer } from "../clock/clock.ts";

/** Bookmarks come once a minute: a watch without a sign of life for longer hangs on a dead connection. */
const longestSilence = 72_000;

/** Aborts a watch that has gone silent: a half-open connection gives no error by itself. */
export class SilenceGuard {
  readonly #clock: Clock;
  readonly #outer: AbortSignal;
  readonly #controller = new AbortController();
  readonly #onAbort = (): void => this.#controller.abort(this.#outer.reason);
  #timer: Timer | undefined;
  #lastSign: number;
  #silent = false;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#outer = signal;
    this.#lastSign = clock.now();
    if (signal.aborted) this.#controller.abort(signal.reason);
    signal.addEventListener("abort", this.#onAbort);
    this.#arm(longestSilence);
  }

  /** For the request: aborts with the outer signal too. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether it was silence that ended the watch. */
  get silent(): boolean {
    return this.#silent;
  }

  alive(): void {
    this.#lastSign = this.#clock.now();
  }

  end(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#outer.removeEventListener("abort", this.#onAbort);
  }

  // One timer that looks back costs less than one set anew with each event.
  #arm(milliseconds: number): void {
    this.#timer = this.#clock.setTimeout(() => {
      const left = this.#lastSign + longestSilence - this.#clock.now();
      if (left > 1) return this.#arm(left);
      this.#silent = true;
      this.#controller.abort(new Error("the watch went silent"));
    }, milliseconds);
  }
}
