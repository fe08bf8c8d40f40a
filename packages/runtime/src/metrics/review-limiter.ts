import { systemClock } from "../clock/clock.ts";

/** Maximum number of concurrent reviews per peer address, and in total. Prometheus needs one per scrape. */
const maxConcurrentPerPeer = 4;
const maxConcurrent = 16;
/** Reviews per peer address: burst, and then per second. */
const peerBurst = 10;
const peerRate = 2;
/** The same in total, so that attacks from many addresses don't reach the API server either. */
const totalBurst = 50;
const totalRate = 20;
/** Number of remembered peer addresses. Attackers with more addresses are limited by the total. */
const maxPeers = 1000;

/** Reports too many reviews. The caller may retry. */
export class TooManyReviewsError extends Error {
  override readonly name: string = "TooManyReviewsError";
}

class Budget {
  readonly #concurrent: number;
  readonly #burst: number;
  readonly #rate: number;
  #running = 0;
  #tokens: number;
  #at: number = systemClock.now();

  constructor(concurrent: number, burst: number, rate: number) {
    this.#concurrent = concurrent;
    this.#burst = burst;
    this.#rate = rate;
    this.#tokens = burst;
  }

  get isExhausted(): boolean {
    const now = systemClock.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#at) / 1000) * this.#rate);
    this.#at = now;
    return this.#tokens < 1 || this.#running >= this.#concurrent;
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  start(): void {
    this.#tokens--;
    this.#running++;
  }

  end(): void {
    this.#running--;
  }
}

/** Limits the reviews that callers cause at the API server, per peer address and in total. */
export class ReviewLimiter {
  readonly #total = new Budget(maxConcurrent, totalBurst, totalRate);
  /** Separate budget of callers that were accepted before. */
  readonly #known = new Budget(maxConcurrent, totalBurst, totalRate);
  /** Peers by address, in order of their last use. */
  readonly #peers = new Map<string, Budget>();

  /**
   * Runs a review.
   *
   * @param caller - the address of the peer, and whether its token was accepted before
   * @param review - sends the review
   * @returns the result of the review
   * @throws TooManyReviewsError immediately if there are too many
   */
  async run<T>(caller: { address: string; isKnown: boolean }, review: () => Promise<T>): Promise<T> {
    const budgets = caller.isKnown ? [this.#known] : [this.#peer(caller.address), this.#total];
    if (budgets.some((budget) => budget.isExhausted)) {
      throw new TooManyReviewsError("too many callers must be authenticated");
    }
    for (const budget of budgets) budget.start();
    try {
      return await review();
    } finally {
      for (const budget of budgets) budget.end();
    }
  }

  #peer(address: string): Budget {
    const budget = this.#peers.get(address) ?? new Budget(maxConcurrentPerPeer, peerBurst, peerRate);
    this.#peers.delete(address);
    this.#peers.set(address, budget);
    if (this.#peers.size > maxPeers) this.#forgetOne();
    return budget;
  }

  #forgetOne(): void {
    for (const [address, budget] of this.#peers) {
      if (!budget.isIdle) continue;
      this.#peers.delete(address);
      return;
    }
  }
}
