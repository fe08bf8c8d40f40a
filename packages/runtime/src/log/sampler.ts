const tick = 1000;
const first = 100;
const thereafter = 100;
/** Maximum number of counted messages. Messages should be constants; those that contain values must not fill the memory. */
const maxMessages = 4096;

interface Count {
  lines: number;
  /** Time in milliseconds at which the count is reset. */
  until: number;
}

/** Drops repeated lines: per message, level and second, the first hundred pass, then every hundredth. */
export class Sampler {
  readonly #counts = new Map<string, Count>();
  readonly #now: () => number;

  /** Creates a sampler. `now` returns monotonic time in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a line. Returns whether to write it. */
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
