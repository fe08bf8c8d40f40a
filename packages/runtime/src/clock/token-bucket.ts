/** A token bucket with a burst of `burst` tokens and a long-term rate of `qps` per second. */
export class TokenBucket {
  readonly #interval: number;
  readonly #burst: number;
  readonly #now: () => number;
  // Time at which the bucket is full again. Each token moves it by one interval.
  #fullAt = Number.NEGATIVE_INFINITY;

  /** Creates a full bucket. The default of `burst` is the next integer above `qps`. */
  constructor(qps: number, burst: number | undefined, now: () => number) {
    this.#interval = 1000 / qps;
    this.#burst = Math.max(1, burst ?? Math.ceil(qps));
    this.#now = now;
  }

  /** Takes a token. Returns the time in milliseconds until it may be used. */
  reserve(): number {
    const now = this.#now();
    this.#fullAt = Math.max(this.#fullAt, now) + this.#interval;
    return Math.max(0, this.#fullAt - now - this.#burst * this.#interval);
  }
}
