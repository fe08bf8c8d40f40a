import { type Clock, systemClock } from "../clock/clock.ts";
import { TokenBucket } from "../clock/token-bucket.ts";

/** Decides how long a failed item waits. */
export interface RateLimiter {
  /** Counts one more failure and gives the milliseconds to wait. */
  when(key: string): number;
  /** Forgets the failures of an item. */
  forget(key: string): void;
  /** Failures counted so far. */
  retries(key: string): number;
}

/** How fast the waits of {@link ExponentialBackoff} grow. */
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

/** How many retries {@link BucketRateLimiter} lets through. */
export interface BucketOptions {
  /** Retries a second in the long run. */
  qps: number;
  /** Retries that may come at once before `qps` counts; the next whole number above `qps` by default. */
  burst?: number;
  clock?: Clock;
}

/** All items together: `burst` retries at once, `qps` a second in the long run. It knows no single item's failures. */
export class BucketRateLimiter implements RateLimiter {
  readonly #bucket: TokenBucket;

  constructor({ qps, burst, clock = systemClock }: BucketOptions) {
    if (!(qps > 0)) throw new RangeError("qps must be greater than 0");
    this.#bucket = new TokenBucket(qps, burst, () => clock.now());
  }

  when(): number {
    return this.#bucket.reserve();
  }

  forget(): void {}

  retries(): number {
    return 0;
  }
}

/**
 * The longest wait of several limiters.
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
