const tick = 1000;
const first = 100;
const thereafter = 100;
/** Messages are constants, few in any program; who puts values into them must not fill the memory. */
const maxMessages = 4096;

interface Count {
  lines: number;
  /** Milliseconds at which counting begins anew. */
  until: number;
}

/** Leaves out lines that come too often: of each message and level the first hundred a second pass, then every hundredth. */
export class Sampler {
  readonly #counts = new Map<string, Count>();
  readonly #now: () => number;

  /** `now` gives milliseconds of any clock that only goes forward. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts a line; tells whether it is to be written. */
  passes(level: string, message: string): boolean {
    const now = this.#now();
    const key = `${level} ${message}`;
    const count = this.#counts.get(key);
    if (!count || now >= count.until) {
      if (this.#counts.size >= maxMessages) this.#counts.clear();
      this.#counts.set(key, { lines: 1, until: now + tick });
      return true;
    }
    count.lines++;
    return count.lines <= first || (count.lines - first) % thereafter === 0;
  }
}
