/** A map that forgets its oldest entries beyond a limit, for keys that clients choose. */
export class LimitedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #limit: number;

  /** @param limit - the number of entries */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The number of entries. */
  get size(): number {
    return this.#entries.size;
  }

  /** @returns the value of a key */
  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** Sets the value of a key, which becomes the newest one. */
  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#limit) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      break;
    }
  }

  /** Removes a key. */
  delete(key: Key): void {
    this.#entries.delete(key);
  }
}
