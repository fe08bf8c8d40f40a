import { type Clock, systemClock } from "../clock/clock.ts";
import { TokenBucket } from "../clock/token-bucket.ts";

/** Computes how long failed items wait. */
export interface RateLimiter {
  /**
   * Counts a failure.
   *
   * @param key - identifies the item
   * @returns the time to wait in milliseconds
   */
  when(key: string): number;
  /**
   * Resets the failures of an item.
   *
   * @param key - identifies the item
   */
  forget(key: string): void;
  /**
   * Returns the number of counted failures.
   *
   * @param key - identifies the item
   * @returns the number
   */
  retries(key: string): number;
}

/** Options of {@link ExponentialBackoff}. */
export interface BackoffOptions {
  /**
   * Time to wait in milliseconds after the first failure.
   *
   * @defaultValue 5
   */
  base?: number;
  /**
   * Maximum time to wait in milliseconds.
   *
   * @defaultValue 1000000
   */
  max?: number;
}

/** Delays each item separately: after `n` consecutive failures, it waits `base · 2^(n-1)` ms, at most `max`. */
export class ExponentialBackoff implements RateLimiter {
  readonly #failures = new Map<string, number>();
  readonly #base: number;
  readonly #max: number;

  /**
   * Creates a rate limiter.
   *
   * @param options - see {@link BackoffOptions}
   */
  constructor(options: BackoffOptions = {}) {
    this.#base = options.base ?? 5;
    this.#max = options.max ?? 1_000_000;
  }

  /**
   * Counts a failure.
   *
   * @param key - identifies the item
   * @returns the time to wait in milliseconds
   */
  when(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return Math.min(this.#base * 2 ** failures, this.#max);
  }

  /**
   * Resets the failures of an item.
   *
   * @param key - identifies the item
   */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /**
   * Returns the number of counted failures.
   *
   * @param key - identifies the item
   * @returns the number
   */
  retries(key: string): number {
    return this.#failures.get(key) ?? 0;
  }
}

/** Options of {@link BucketRateLimiter}. */
export interface BucketOptions {
  /** Long-term rate of retries per second. */
  qps: number;
  /**
   * Retries that are allowed before `qps` applies.
   *
   * @defaultValue the next integer above `qps`
   */
  burst?: number;
  /**
   * Clock of the limit.
   *
   * @defaultValue {@link systemClock}
   */
  clock?: Clock;
}

/**
 * Limits the retries of all items together, with a token bucket of `qps` per second and `burst`. It doesn't count
 * failures of single items.
 */
export class BucketRateLimiter implements RateLimiter {
  readonly #bucket: TokenBucket;

  /**
   * Creates a rate limiter.
   *
   * @param options - see {@link BucketOptions}
   * @throws RangeError if `qps` isn't greater than 0
   */
  constructor({ qps, burst, clock = systemClock }: BucketOptions) {
    if (!(qps > 0)) throw new RangeError("qps must be greater than 0");
    this.#bucket = new TokenBucket(qps, burst, () => clock.now());
  }

  /**
   * Takes a token.
   *
   * @returns the time to wait in milliseconds
   */
  when(): number {
    return this.#bucket.reserve();
  }

  /** Does nothing, since failures aren't counted per item. */
  forget(): void {}

  /**
   * Returns 0, since failures aren't counted per item.
   *
   * @returns always 0
   */
  retries(): number {
    return 0;
  }
}

/**
 * Combines rate limiters: an item waits for the longest time of them.
 *
 * @param limiters - the rate limiters
 * @returns the combined rate limiter
 *
 * @example
 * builder.withOptions({ rateLimiter: maxOfRateLimiters(new ExponentialBackoff(), new BucketRateLimiter({ qps: 10, burst: 100 })) });
 */
export function maxOfRateLimiters(...limiters: readonly RateLimiter[]): RateLimiter {
  return {
    when: (key) => Math.max(0, ...limiters.map((limiter) => limiter.when(key))),
    forget: (key) => {
      for (const limiter of limiters) limiter.forget(key);
    },
    retries: (key) => Math.max(0, ...limiters.map((limiter) => limiter.retries(key))),
  };
}
