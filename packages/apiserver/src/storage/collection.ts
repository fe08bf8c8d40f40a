import type { Change, Entry } from "../model/stored-state.ts";

/** How many past changes remain readable. */
export interface HistoryLimits {
  /** The number of changes per resource. */
  changes: number;
  /** The age of a change, in milliseconds. */
  age: number;
  /** The length of the JSON of all changes of a resource, in characters. */
  size: number;
}

/** The objects of one resource: their present states, and their past changes within the limits. */
export class Collection {
  readonly name: string;
  readonly #entries = new Map<string, Entry>();
  /** The same states in the order of their keys, so that a page of a list costs a copy of references, and no search. */
  readonly #sorted: Entry[] = [];
  #changes: Change[] = [];
  /** The length of the JSON of all changes. */
  #changesSize = 0;
  /** The revision of the newest change that clients can't read. */
  #compacted = 0;
  /** The revision of the newest change that isn't kept. The collection can't return to older states. */
  #dropped = 0;
  #rewinds = 0;
  /** The revision of the last return to a past state, and the keys whose states it changed. */
  #rewound: { revision: number; keys: ReadonlySet<string> } = { revision: 0, keys: new Set() };
  readonly #listeners = new Set<() => void>();

  constructor(name: string) {
    this.name = name;
  }

  /** The revision of the newest change that is forgotten; 0 if none is. */
  get compacted(): number {
    return this.#compacted;
  }

  /** @internal The oldest revision to which the collection can return. */
  get oldest(): number {
    return this.#dropped;
  }

  /** Number of returns to a past state. Watches that began before one can't continue. */
  get rewinds(): number {
    return this.#rewinds;
  }

  get size(): number {
    return this.#sorted.length;
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /** Returns the present states of all keys that begin with `prefix`, in the order of the keys. */
  list(prefix: string): Entry[] {
    if (prefix === "") return this.#sorted.slice();
    const from = firstIndex(this.#sorted, prefix);
    let end = from;
    while (end < this.#sorted.length && this.#sorted[end]?.key.startsWith(prefix)) end++;
    return this.#sorted.slice(from, end);
  }

  /**
   * Reads past states.
   *
   * @param prefix - the beginning of the keys
   * @param revision - the revision, at least `compacted`
   * @returns the states at that revision, in the order of the keys
   */
  listAt(prefix: string, revision: number): Entry[] {
    const past = new Map<string, Entry | undefined>();
    for (let i = this.#changes.length - 1; i >= 0; i--) {
      const change = this.#changes[i] as Change;
      if (change.revision <= revision) break;
      if (change.key.startsWith(prefix)) past.set(change.key, change.previous);
    }
    if (past.size === 0) return this.list(prefix);
    const unchanged = this.list(prefix).filter(({ key }) => !past.has(key));
    const changed = [...past.values()].filter((entry) => entry !== undefined);
    return merged(unchanged, changed.sort(byKey));
  }

  /** Returns the changes after `revision`, the oldest first. */
  changesSince(revision: number): readonly Change[] {
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#changes[middle] as Change).revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? this.#changes : this.#changes.slice(low);
  }

  /**
   * Calls a function after each change.
   *
   * @param listener - receives no arguments: read `changesSince`
   * @returns a function that ends the calls
   */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Calls a function for each object that changes from now on, in the order of the changes. A return to a past state is a
   * change of each object that was written after it.
   *
   * @param listener - receives the key and the new state, which is undefined if the object is gone
   * @returns a function that ends the calls
   */
  follow(listener: (key: string, entry: Entry | undefined) => void): () => void {
    let position = Math.max(this.#compacted, this.#changes.at(-1)?.revision ?? 0);
    let rewinds = this.#rewinds;
    return this.onChange(() => {
      if (rewinds !== this.#rewinds) {
        rewinds = this.#rewinds;
        position = this.#rewound.revision;
        for (const key of this.#rewound.keys) listener(key, this.#entries.get(key));
      }
      for (const { revision, key, deleted, entry } of this.changesSince(position)) {
        // The listener may write. It has received its own writes before this loop continues.
        if (revision <= position) continue;
        position = revision;
        listener(key, deleted ? undefined : entry);
      }
    });
  }

  /** @internal Applies a change that the store has numbered. */
  apply(change: Change, limits: HistoryLimits): void {
    this.#replace(change.key, change.deleted ? undefined : change.entry);
    this.#changes.push(change);
    this.#changesSize += change.entry.text.length;
    this.#limit(change.time, limits);
    this.notify();
  }

  /** @internal Drops the changes that are too old, which no write does while the collection isn't written. */
  expire(now: number, { age }: HistoryLimits): void {
    const kept = this.#changes.findIndex(({ time }) => now - time <= age);
    this.#drop(kept === -1 ? this.#changes.length : kept);
  }

  /** Whether nothing would be lost without the collection: it has no objects, no past and no listeners. */
  get isUnused(): boolean {
    return this.#sorted.length === 0 && this.#changes.length === 0 && this.#listeners.size === 0;
  }

  /** @internal Calls all listeners, also after one that failed. */
  notify(): void {
    const errors: unknown[] = [];
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  /** @internal Loads a state without a change, for objects that are older than the process. */
  load(entry: Entry): void {
    this.#replace(entry.key, entry);
    this.#compacted = Math.max(this.#compacted, entry.revision);
    this.#dropped = Math.max(this.#dropped, entry.revision);
  }

  /**
   * Hides the past from clients, as a server that begins to serve the resource now.
   *
   * @param revision - the first revision that can be read
   */
  hide(revision: number): void {
    this.#compacted = Math.max(this.#compacted, revision);
  }

  /** @internal Undoes all changes after a revision. The listeners aren't called. */
  rewind(revision: number): void {
    const keys = new Set<string>();
    for (let change = this.#changes.at(-1); change && change.revision > revision; change = this.#changes.at(-1)) {
      this.#replace(change.key, change.previous);
      keys.add(change.key);
      this.#changes.pop();
      this.#changesSize -= change.entry.text.length;
    }
    // A watch can't continue over the gap.
    this.#compacted = revision;
    this.#rewound = { revision, keys };
    this.#rewinds++;
  }

  #replace(key: string, entry: Entry | undefined): void {
    const existing = this.#entries.has(key) ? 1 : 0;
    if (entry === undefined && existing === 0) return;
    if (entry !== undefined) this.#entries.set(key, entry);
    else this.#entries.delete(key);
    const index = firstIndex(this.#sorted, key);
    if (entry !== undefined && existing === 1) this.#sorted[index] = entry;
    else this.#sorted.splice(index, existing, ...(entry === undefined ? [] : [entry]));
  }

  #limit(now: number, limits: HistoryLimits): void {
    // Removing one by one from the front would cost time for each write: half of the limit at once.
    const slack = Math.max(1, limits.changes >> 1);
    let count = this.#changes.length > limits.changes + slack ? this.#changes.length - limits.changes : 0;
    const oldest = this.#changes[0];
    if (oldest !== undefined && now - oldest.time > limits.age * 1.5) {
      while (count < this.#changes.length - 1 && now - (this.#changes[count] as Change).time > limits.age) count++;
    }
    if (this.#changesSize > limits.size * 1.5) {
      let size = this.#changesSize;
      for (const { entry } of this.#changes.slice(0, count)) size -= entry.text.length;
      while (count < this.#changes.length - 1 && size > limits.size) {
        size -= (this.#changes[count++] as Change).entry.text.length;
      }
    }
    this.#drop(count);
  }

  /** Drops the oldest changes. */
  #drop(count: number): void {
    if (count === 0) return;
    this.#dropped = (this.#changes[count - 1] as Change).revision;
    this.#compacted = Math.max(this.#compacted, this.#dropped);
    for (const { entry } of this.#changes.splice(0, count)) this.#changesSize -= entry.text.length;
  }
}

/** Returns the index of the first state whose key is at least `key`. */
export function firstIndex(sorted: readonly Entry[], key: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as Entry).key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function byKey(a: Entry, b: Entry): number {
  return a.key < b.key ? -1 : 1;
}

/** Merges two sorted lists without common keys. */
function merged(a: readonly Entry[], b: readonly Entry[]): Entry[] {
  const all: Entry[] = [];
  let index = 0;
  for (const entry of a) {
    for (; index < b.length && byKey(b[index] as Entry, entry) < 0; index++) all.push(b[index] as Entry);
    all.push(entry);
  }
  return [...all, ...b.slice(index)];
}
