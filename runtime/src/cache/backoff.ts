export interface JitteredBackoffOptions {
  /** Milliseconds. */
  base?: number;
  max?: number;
  /** So many milliseconds without a failure start it anew. */
  resetAfter?: number;
  now: () => number;
  random: () => number;
}

/** How long a list or watch waits after a failure: doubling, with a jitter of up to as much again, so that clients spread. */
export class JitteredBackoff {
  readonly #options: Required<JitteredBackoffOptions>;
  #failures = 0;
  #last = 0;

  constructor(options: JitteredBackoffOptions) {
    this.#options = { base: 800, max: 30_000, resetAfter: 120_000, ...options };
  }

  /** Counts a failure and gives the milliseconds to wait. */
  next(): number {
    const { base, max, resetAfter, now, random } = this.#options;
    if (now() - this.#last > resetAfter) this.#failures = 0;
    const delay = Math.min(base * 2 ** this.#failures * (1 + random()), max);
    this.#failures++;
    this.#last = now() + delay;
    return delay;
  }
}
