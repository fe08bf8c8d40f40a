import { systemClock } from "../clock/clock.ts";
/** A cache with a maximum size and lifetimes. The oldest entry is evicted first. */
export class Memory<T> {
  readonly #size: number;
  readonly #entries = new Map<string, { value: T; until: number }>();

  /** @param size - the number of entries */
  constructor(size: number) {
    this.#size = size;
  }

  get(key: string): { value: T } | undefined {
    const entry = this.#entries.get(key);
    if (entry && entry.until > systemClock.now()) return entry;
    this.#entries.delete(key);
    return undefined;
  }

  /** Adds an entry. `lifetime` is in milliseconds. */
  set(key: string, value: T, lifetime: number): void {
    this.#entries.delete(key);
    if (this.#entries.size >= this.#size) {
      const oldest = this.#entries.keys().next().value;
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    this.#entries.set(key, { value, until: systemClock.now() + lifetime });
  }
}
