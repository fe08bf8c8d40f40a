/**
 * Values that were computed from keys, for the keys that were used last. Neither keys nor values stay in memory because of
 * it when nothing else needs the keys.
 */
export class RecentValues<K extends WeakKey, V> {
  readonly #limit: number;
  #recent = new WeakMap<K, V>();
  #older = new WeakMap<K, V>();
  /** The number of values that were added to `#recent`. */
  #count = 0;

  /** @param limit - how many values are kept at least; at most twice as many are */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * @param key - the key
   * @param compute - computes the value if it isn't kept
   * @returns the value of the key
   */
  get(key: K, compute: (key: K) => V): V {
    let value = this.#recent.get(key);
    if (value !== undefined) return value;
    value = this.#older.get(key) ?? compute(key);
    if (this.#count >= this.#limit) {
      this.#older = this.#recent;
      this.#recent = new WeakMap();
      this.#count = 0;
    }
    this.#recent.set(key, value);
    this.#count++;
    return value;
  }
}
