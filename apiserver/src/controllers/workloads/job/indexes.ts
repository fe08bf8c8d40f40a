/** A set of indexes, which the status of a Job shows as ranges such as `1,3-5`. */
export class IndexSet {
  readonly #indexes: Set<number>;

  /** @param indexes - its indexes */
  constructor(indexes: Iterable<number> = []) {
    this.#indexes = new Set(indexes);
  }

  /**
   * Parses ranges.
   *
   * @param text - for example `1,3-5`
   * @param limit - indexes from here on are left out
   * @returns the set. Malformed parts end it, as in kube-controller-manager.
   */
  static parse(text: string | undefined, limit: number): IndexSet {
    const indexes: number[] = [];
    for (const range of (text ?? "").split(",")) {
      const match = /^(\d+)(?:-(\d+))?$/.exec(range);
      if (match === null) break;
      const first = Number(match[1]);
      const last = Math.min(Number(match[2] ?? first), limit - 1);
      for (let index = first; index <= last; index++) indexes.push(index);
    }
    return new IndexSet(indexes);
  }

  /** The number of indexes. */
  get size(): number {
    return this.#indexes.size;
  }

  /** @returns true if the set has an index */
  has(index: number): boolean {
    return this.#indexes.has(index);
  }

  /** @returns a set that has some indexes more */
  with(indexes: Iterable<number>): IndexSet {
    return new IndexSet([...this.#indexes, ...indexes]);
  }

  /** @returns how many indexes two sets share */
  overlap(other: IndexSet): number {
    return [...this.#indexes].filter((index) => other.has(index)).length;
  }

  /** @returns the ranges; two adjacent indexes are two, three are a range */
  toString(): string {
    const sorted = [...this.#indexes].sort((a, b) => a - b);
    const parts: string[] = [];
    for (let at = 0; at < sorted.length; ) {
      const first = sorted[at] as number;
      let last = first;
      while (sorted[at + 1] === last + 1) {
        last++;
        at++;
      }
      at++;
      if (last === first) parts.push(String(first));
      else parts.push(last === first + 1 ? `${first},${last}` : `${first}-${last}`);
    }
    return parts.join(",");
  }
}
