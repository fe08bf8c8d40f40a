/** `burst` at once, `qps` a second in the long run. */
export class TokenBucket {
  readonly #interval: number;
  readonly #burst: number;
  readonly #now: () => number;
  // When the bucket would be full again; each token taken moves it one interval further.
  #fullAt = Number.NEGATIVE_INFINITY;

  /** Without `burst` it is the next whole number above `qps`. */
  constructor(qps: number, burst: number | undefined, now: () => number) {
    this.#interval = 1000 / qps;
    this.#burst = Math.max(1, burst ?? Math.ceil(qps));
    this.#now = now;
  }

  /** Takes a token; gives the milliseconds until it may be used, counted from now on. */
  reserve(): number {
    const now = this.#now();
    this.#fullAt = Math.max(this.#fullAt, now) + this.#interval;
    return Math.max(0, this.#fullAt - now - this.#burst * this.#interval);
  }
}
