import type { LogFields } from "../log/logger.ts";

/** Lines per {@link period}: enough to find the cause, without spending CPU time on logging thousands of invalid objects. */
const maxLines = 20;
/** Length of a period in milliseconds. */
const period = 1000;

/** Limits the lines per second. The next line contains the number of those that were omitted. */
export class LineBudget {
  readonly #now: () => number;
  #since = Number.NEGATIVE_INFINITY;
  #written = 0;
  #suppressed = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Calls `write` with the fields, unless the budget of this second is used up. */
  write(write: (fields: LogFields) => void, fields: LogFields): void {
    const now = this.#now();
    if (now - this.#since >= period) {
      this.#since = now;
      this.#written = 0;
    }
    if (++this.#written > maxLines) {
      this.#suppressed++;
      return;
    }
    write(this.#suppressed > 0 ? { ...fields, suppressedLines: this.#suppressed } : fields);
    this.#suppressed = 0;
  }
}
