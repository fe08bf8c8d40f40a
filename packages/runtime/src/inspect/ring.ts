/** The last entries of a list. */
export class Ring<T> {
  readonly #entries: (T | undefined)[];
  #next = 0;
  #count = 0;

  /** @param size - number of entries that are kept */
  constructor(size: number) {
    this.#entries = new Array<T | undefined>(size);
  }

  add(entry: T): void {
    this.#entries[this.#next] = entry;
    this.#next = (this.#next + 1) % this.#entries.length;
    this.#count = Math.min(this.#count + 1, this.#entries.length);
  }

  /** Iterates over the entries, the latest first. */
  *latest(): Generator<T> {
    const size = this.#entries.length;
    for (let back = 1; back <= this.#count; back++) yield this.#entries[(this.#next - back + size) % size] as T;
  }
}
