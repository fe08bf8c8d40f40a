import type { Scope } from "./scope.ts";

/** A token bucket: `burst` requests at once, `qps` a second in the long run. Waiting requests go in their order. */
export class RateLimiter {
  readonly #interval: number;
  readonly #burst: number;
  readonly #now: () => number;
  // When the bucket would be full again; each request moves it one interval further.
  #fullAt = 0;

  constructor(qps: number, burst: number | undefined, now: () => number = () => performance.now()) {
    this.#interval = 1000 / qps;
    this.#burst = Math.max(1, burst ?? Math.ceil(qps));
    this.#now = now;
  }

  /** Milliseconds until the request may go; it counts from now on. */
  reserve(): number {
    const now = this.#now();
    this.#fullAt = Math.max(this.#fullAt, now) + this.#interval;
    return Math.max(0, this.#fullAt - now - this.#burst * this.#interval);
  }

  async wait(scope: Scope): Promise<void> {
    const delay = this.reserve();
    if (delay > 0) await scope.sleep(delay);
  }
}
