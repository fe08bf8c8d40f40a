/** Reviews at a time: those of one peer address, and all together. Prometheus needs one per scrape at most. */
const maxConcurrentPerPeer = 4;
const maxConcurrent = 16;
/** Reviews that one peer address may cause at once, and then per second. */
const peerBurst = 10;
const peerRate = 2;
/** The same for all of them, so that an attack from many addresses doesn't reach the API server either. */
const totalBurst = 50;
const totalRate = 20;
/** Peer addresses to remember. Whoever has more of them than that is limited by the total. */
const maxPeers = 1000;

/** There were too many reviews: the caller may try again. */
export class TooManyReviewsError extends Error {
  override readonly name: string = "TooManyReviewsError";
}

class Budget {
  readonly #concurrent: number;
  readonly #burst: number;
  readonly #rate: number;
  #running = 0;
  #tokens: number;
  #at: number = performance.now();

  constructor(concurrent: number, burst: number, rate: number) {
    this.#concurrent = concurrent;
    this.#burst = burst;
    this.#rate = rate;
    this.#tokens = burst;
  }

  get isExhausted(): boolean {
    const now = performance.now();
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

/** Limits the reviews that callers of a server cause at the API server, for each peer address and for all together. */
export class ReviewLimiter {
  readonly #total = new Budget(maxConcurrent, totalBurst, totalRate);
  /** Callers that were let in before don't compete with strangers. */
  readonly #known = new Budget(maxConcurrent, totalBurst, totalRate);
  /** The one that was used last comes last. */
  readonly #peers = new Map<string, Budget>();

  /**
   * Runs a review.
   *
   * @param caller - the address of the peer, and whether its token was accepted before
   * @param review - sends the review
   * @returns what the review returns
   * @throws TooManyReviewsError at once if there are too many
   */
  async run<T>(caller: { address: string; isKnown: boolean }, review: () => Promise<T>): Promise<T> {
    const budgets = caller.isKnown ? [this.#known] : [this.#peer(caller.address), this.#total];
    if (budgets.some((budget) => budget.isExhausted)) {
      throw new TooManyReviewsError("too many callers have to be authenticated");
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
