/** The changes of one child with one hash. */
interface Changes {
  hash: string;
  /** Times of the last changes, in milliseconds. */
  times: number[];
  /** How often the limit was exceeded. */
  level: number;
  /** Until when the child isn't applied. */
  until: number;
}

const minute = 60_000;
const limit = 10;
const longestDelay = 300_000;
/** Time after which a child isn't contested anymore. */
const memory = 600_000;

/** Detects children that another writer changes again and again, and delays their applies. */
export class Contention {
  readonly #children = new Map<string, Changes>();

  /**
   * Returns the time until a child may be applied.
   *
   * @returns the time in milliseconds; 0 if it may be applied now
   */
  delay(id: string, hash: string, now: number): number {
    const changes = this.#children.get(id);
    return changes?.hash === hash ? Math.max(0, changes.until - now) : 0;
  }

  /** Records a change of a child. Returns whether it is contested: it was changed too often with the same hash. */
  configured(id: string, hash: string, now: number): boolean {
    this.#forget(now);
    const earlier = this.#children.get(id);
    const changes = earlier?.hash === hash ? earlier : { hash, times: [], level: 0, until: 0 };
    changes.times = [...changes.times.filter((time) => now - time < minute), now];
    this.#children.delete(id);
    this.#children.set(id, changes);
    // Once the limit was exceeded, each further change shows that the other writer continues.
    if (changes.times.length <= limit && changes.level === 0) return false;
    changes.until = now + Math.min(longestDelay, 1_000 * 2 ** changes.level);
    changes.level++;
    return true;
  }

  /** Drops the children that have not changed for a long time. They are in the order of their last change. */
  #forget(now: number): void {
    for (const [id, { times }] of this.#children) {
      if (now - (times.at(-1) ?? 0) < memory) return;
      this.#children.delete(id);
    }
  }
}
