/** A set of indexes, which the status of a Job shows as ranges such as `1,3-5`. Its size in memory is the number of ranges. */
export class IndexSet {
  /** First and last index of each range, in ascending order. Two ranges don't touch. */
  readonly #ranges: readonly (readonly [number, number])[];
  /** The number of indexes. */
  readonly size: number;

  /** @param ranges - first and last index of each range */
  private constructor(ranges: Iterable<readonly [number, number]>) {
    const joined: [number, number][] = [];
    for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
      const before = joined.at(-1);
      if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
      else if (first <= last) joined.push([first, last]);
    }
    this.#ranges = joined;
    this.size = joined.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  }

  /** The set without indexes. */
  static readonly empty: IndexSet = new IndexSet([]);

  /**
   * Parses ranges.
   *
   * @param text - for example `1,3-5`
   * @param limit - indexes from here on are left out
   * @returns the set. Malformed parts end it, as in kube-controller-manager.
   */
  static parse(text: string | undefined, limit: number): IndexSet {
    const ranges: [number, number][] = [];
    for (const range of (text ?? "").split(",")) {
      const match = /^(\d+)(?:-(\d+))?$/.exec(range);
      if (match === null) break;
      const first = Number(match[1]);
      ranges.push([first, Math.min(Number(match[2] ?? first), limit - 1)]);
    }
    return new IndexSet(ranges);
  }

  /** Returns true if the set has an index. */
  has(index: number): boolean {
    return this.absentFrom(index) !== index;
  }

  /** Returns the first index from the given one on that isn't in the set. */
  absentFrom(index: number): number {
    let low = 0;
    let high = this.#ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ranges[middle] as readonly [number, number])[1] < index) low = middle + 1;
      else high = middle;
    }
    const range = this.#ranges[low];
    return range !== undefined && range[0] <= index ? range[1] + 1 : index;
  }

  /** Returns a set that has some indexes more. */
  with(indexes: Iterable<number>): IndexSet {
    return new IndexSet([...this.#ranges, ...[...indexes].map((index): [number, number] => [index, index])]);
  }

  /** Returns how many indexes two sets share. */
  overlap(other: IndexSet): number {
    return this.size + other.size - new IndexSet([...this.#ranges, ...other.#ranges]).size;
  }

  /** Returns the ranges; two adjacent indexes are two, three are a range. */
  toString(): string {
    return this.#ranges
      .map(([first, last]) => {
        if (last === first) return String(first);
        return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
      })
      .join(",");
  }
}
