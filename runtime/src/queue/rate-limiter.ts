/** Decides how long a failed item waits. */
export interface RateLimiter {
  /** Counts one more failure and gives the milliseconds to wait. */
  when(key: string): number;
  /** Forgets the failures of an item. */
  forget(key: string): void;
  /** Failures counted so far. */
  retries(key: string): number;
}

export interface BackoffOptions {
  /** Milliseconds after the first failure; 5 by default. */
  base?: number;
  /** The longest wait in milliseconds; 1,000,000 by default. */
  max?: number;
}

/** Each item on its own: the n-th failure in a row waits `base · 2^(n-1)`, at most `max`. */
export class ExponentialBackoff implements RateLimiter {
  readonly #failures = new Map<string, number>();
  readonly #base: number;
  readonly #max: number;

  constructor(options: BackoffOptions = {}) {
    this.#base = options.base ?? 5;
    this.#max = options.max ?? 1_000_000;
  }

  when(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return Math.min(this.#base * 2 ** failures, this.#max);
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  retries(key: string): number {
    return this.#failures.get(key) ?? 0;
  }
}
