import { TokenBucket } from "../clock/token-bucket.ts";
import type { Scope } from "./scope.ts";

/** A token bucket for requests. Waiting requests are sent in order. */
export class RateLimiter {
  readonly #bucket: TokenBucket;

  constructor(qps: number, burst: number | undefined, now: () => number = () => performance.now()) {
    this.#bucket = new TokenBucket(qps, burst, now);
  }

  /** Reserves a token. Returns the time in milliseconds until the request may be sent. */
  reserve(): number {
    return this.#bucket.reserve();
  }

  async wait(scope: Scope): Promise<void> {
    const delay = this.reserve();
    if (delay > 0) await scope.sleep(delay);
  }
}
