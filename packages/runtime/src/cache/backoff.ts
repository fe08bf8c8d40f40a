export interface JitteredBackoffOptions {
  /** Delay after the first failure, and maximum delay, in milliseconds. */
  base?: number;
  max?: number;
  /** Time in milliseconds without a failure after which the back-off is reset. */
  resetAfter?: number;
  now: () => number;
  random: () => number;
}

/** Computes how long a list or watch waits after a failure: doubling, with a jitter of up to 100 % so that clients spread. */
export class JitteredBackoff {
  readonly #options: Required<JitteredBackoffOptions>;
  #failures = 0;
  #last = 0;

  constructor(options: JitteredBackoffOptions) {
    this.#options = { base: 800, max: 30_000, resetAfter: 120_000, ...options };
  }

  /** Counts a failure. Returns the time to wait in milliseconds. */
  next(): number {
    const { base, max, resetAfter, now, random } = this.#options;
    if (now() - this.#last > resetAfter) this.#failures = 0;
    const delay = Math.min(base * 2 ** this.#failures * (1 + random()), max);
    this.#failures++;
    this.#last = now() + delay;
    return delay;
  }
}
