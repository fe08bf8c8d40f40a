const maxRemembered = 1000;

/** Remembers answers for a while, and not too many of them: the oldest goes first. */
export class Memory<T> {
  readonly #entries = new Map<string, { value: T; until: number }>();

  get(key: string): { value: T } | undefined {
    const entry = this.#entries.get(key);
    if (entry && entry.until > performance.now()) return entry;
    this.#entries.delete(key);
    return undefined;
  }

  /** `lifetime` is in milliseconds. */
  set(key: string, value: T, lifetime: number): void {
    if (this.#entries.size >= maxRemembered) {
      const oldest = this.#entries.keys().next().value;
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    this.#entries.set(key, { value, until: performance.now() + lifetime });
  }
}
