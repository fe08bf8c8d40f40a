import type { Journal } from "./journal.ts";

/** The stored state of one object. Entries are never changed: a write replaces them. */
export interface Entry {
  readonly key: string;
  /** The revision of the last write. */
  readonly revision: number;
  /** The object as JSON, in the version in which it is stored. */
  readonly text: string;
}

/** A write of one object. */
export interface Change {
  readonly revision: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly key: string;
  /** The new state. For a deletion, the last state with the revision of the deletion. */
  readonly entry: Entry;
  readonly deleted: boolean;
  readonly previous: Entry | undefined;
}

/** How many past changes remain readable. */
export interface HistoryLimits {
  /** The number of changes per resource. */
  changes: number;
  /** The age of a change, in milliseconds. */
  age: number;
}

/** The objects of one resource: their present states, and their past changes within the limits. */
export class Collection {
  readonly name: string;
  readonly #entries = new Map<string, Entry>();
  /** All keys in order. */
  readonly #keys: string[] = [];
  #changes: Change[] = [];
  /** The revision of the newest change that is forgotten. Older states can't be read. */
  #compacted = 0;
  #rewinds = 0;
  readonly #listeners = new Set<() => void>();

  constructor(name: string) {
    this.name = name;
  }

  /** The revision of the newest change that is forgotten; 0 if none is. */
  get compacted(): number {
    return this.#compacted;
  }

  /** Number of returns to a past state. Watches that began before one can't continue. */
  get rewinds(): number {
    return this.#rewinds;
  }

  get size(): number {
    return this.#keys.length;
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /** @returns the keys that begin with `prefix` and come after `after`, in order */
  keys(prefix: string, after = ""): string[] {
    const from = firstIndex(this.#keys, after > prefix ? after : prefix, after > prefix);
    if (prefix === "") return from === 0 ? this.#keys.slice() : this.#keys.slice(from);
    let end = from;
    while (end < this.#keys.length && this.#keys[end]?.startsWith(prefix)) end++;
    return this.#keys.slice(from, end);
  }

  /** @returns the present states of all keys that begin with `prefix`, in the order of the keys */
  list(prefix: string): Entry[] {
    return this.keys(prefix).map((key) => this.#entries.get(key) as Entry);
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
    const keys = new Set([...this.keys(prefix), ...past.keys()]);
    return [...keys]
      .sort((a, b) => (a < b ? -1 : 1))
      .map((key) => (past.has(key) ? past.get(key) : this.#entries.get(key)))
      .filter((entry) => entry !== undefined);
  }

  /** @returns the changes after `revision`, the oldest first */
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

  /** @internal Applies a change that the store has numbered. */
  apply(change: Change, limits: HistoryLimits): void {
    this.#replace(change.key, change.deleted ? undefined : change.entry);
    this.#changes.push(change);
    this.#forget(change.time, limits);
    for (const listener of this.#listeners) listener();
  }

  /** @internal Loads a state without a change, for objects that are older than the process. */
  load(entry: Entry): void {
    this.#replace(entry.key, entry);
    this.#compacted = Math.max(this.#compacted, entry.revision);
  }

  /**
   * Forgets the past, as a server that begins to serve the resource now: older states can't be read.
   *
   * @param revision - the first revision that can be read
   */
  forget(revision: number): void {
    this.#compacted = Math.max(this.#compacted, revision);
    this.#changes = this.#changes.filter((change) => change.revision > revision);
  }

  /** @internal Undoes all changes after a revision. */
  rewind(revision: number): void {
    for (let change = this.#changes.at(-1); change && change.revision > revision; change = this.#changes.at(-1)) {
      this.#replace(change.key, change.previous);
      this.#changes.pop();
    }
    // A watch can't continue over the gap.
    this.#changes = [];
    this.#compacted = revision;
    this.#rewinds++;
    for (const listener of this.#listeners) listener();
  }

  #replace(key: string, entry: Entry | undefined): void {
    const known = this.#entries.has(key);
    if (entry !== undefined) {
      this.#entries.set(key, entry);
      if (!known) this.#keys.splice(firstIndex(this.#keys, key, false), 0, key);
    } else if (known) {
      this.#entries.delete(key);
      this.#keys.splice(firstIndex(this.#keys, key, false), 1);
    }
  }

  #forget(now: number, limits: HistoryLimits): void {
    // Removing one by one from the front would cost time for each write: half of the limit at once.
    const slack = Math.max(1, limits.changes >> 1);
    let count = this.#changes.length > limits.changes + slack ? this.#changes.length - limits.changes : 0;
    const oldest = this.#changes[0];
    if (oldest !== undefined && now - oldest.time > limits.age * 1.5) {
      while (count < this.#changes.length - 1 && now - (this.#changes[count] as Change).time > limits.age) count++;
    }
    if (count === 0) return;
    this.#compacted = (this.#changes[count - 1] as Change).revision;
    this.#changes.splice(0, count);
  }
}

/** @returns the index of the first key that is at least `key`, or greater than it if `after` is set */
function firstIndex(keys: readonly string[], key: string, after: boolean): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = keys[middle] as string;
    if (found < key || (after && found === key)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The objects of the server, with one counter of revisions for all resources.
 *
 * All methods are synchronous. A write is complete and, with a journal, on its way to the disk when the method returns.
 */
export class Store {
  readonly #collections = new Map<string, Collection>();
  readonly #limits: HistoryLimits;
  readonly #journal: Journal | undefined;
  readonly #now: () => number;
  readonly #listeners = new Set<(collection: Collection, change: Change) => void>();
  #revision = 1;
  /** The revision at the start. */
  #oldest = 0;

  /**
   * @param options - `now` returns the time in milliseconds since the epoch; a journal receives each write
   */
  constructor(options: { now: () => number; limits?: Partial<HistoryLimits>; journal?: Journal }) {
    this.#now = options.now;
    this.#limits = { changes: 10_000, age: 300_000, ...options.limits };
    this.#journal = options.journal;
    const { objects, revision } = options.journal?.read() ?? { objects: [], revision: 0 };
    for (const { collection, ...entry } of objects) this.collection(collection).load(entry);
    this.#revision = Math.max(this.#revision, revision);
    // The journal has no history. Clients that continue a watch across a restart would miss deletions, so they get 410.
    this.#oldest = revision;
    for (const collection of this.#collections.values()) collection.forget(revision);
  }

  /** The revision of the last write. */
  get revision(): number {
    return this.#revision;
  }

  /** @returns the collection of this name, created if it doesn't exist */
  collection(name: string): Collection {
    let found = this.#collections.get(name);
    if (found === undefined) {
      found = new Collection(name);
      found.forget(this.#oldest);
      this.#collections.set(name, found);
    }
    return found;
  }

  /** @returns all collections */
  collections(): Iterable<Collection> {
    return this.#collections.values();
  }

  /**
   * Writes an object.
   *
   * @param collection - where
   * @param key - `namespace/name`, or the name of an object without a namespace
   * @param text - creates the JSON of the object, given the revision of this write
   * @returns the new state
   * @throws Error if the journal can't be written. Nothing is changed then.
   */
  put(collection: Collection, key: string, text: (revision: number) => string): Entry {
    return this.#write(collection, key, text, false);
  }

  /**
   * Deletes an object.
   *
   * @param collection - where
   * @param key - the key of an object that exists
   * @param text - creates the JSON of the last state, which watches report, given the revision of the deletion
   * @returns the last state, with the revision of the deletion
   * @throws Error if the journal can't be written. Nothing is changed then.
   */
  delete(collection: Collection, key: string, text: (revision: number) => string): Entry {
    return this.#write(collection, key, text, true);
  }

  /**
   * Loads objects that are older than the server. Watches don't report them as changes, and the journal doesn't contain
   * them.
   *
   * @param objects - their collections, keys and JSON
   * @param revision - the revision of the objects, and of the store afterwards
   */
  load(objects: Iterable<{ collection: Collection; key: string; text: string }>, revision: number): void {
    for (const { collection, key, text } of objects) collection.load({ key, revision, text });
    this.#revision = Math.max(this.#revision, revision);
  }

  /**
   * Calls a function after each write of any collection.
   *
   * @param listener - receives the collection and the change
   * @returns a function that ends the calls
   */
  onWrite(listener: (collection: Collection, change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #write(collection: Collection, key: string, text: (revision: number) => string, deleted: boolean): Entry {
    const revision = this.#revision + 1;
    const entry = { key, revision, text: text(revision) };
    this.#journal?.append({
      collection: collection.name,
      key,
      revision,
      ...(deleted ? {} : { text: entry.text }),
    });
    this.#revision = revision;
    const previous = collection.get(key);
    const change: Change = { revision, time: this.#now(), key, entry, deleted, previous };
    collection.apply(change, this.#limits);
    for (const listener of this.#listeners) listener(collection, change);
    if (this.#journal?.isLarge) this.#journal.compact(this.#records(), revision);
    return entry;
  }

  /**
   * Returns to a past state. All watches end.
   *
   * @param revision - a revision within the history of all resources
   * @throws RangeError if the history doesn't reach back that far
   */
  restore(revision: number): void {
    const collections = [...this.#collections.values()];
    const oldest = Math.max(0, ...collections.map((collection) => collection.compacted));
    if (!Number.isSafeInteger(revision) || revision < oldest || revision > this.#revision) {
      throw new RangeError(`restore ${revision}: must be between ${oldest} and ${this.#revision}`);
    }
    for (const collection of collections) collection.rewind(revision);
    this.#revision = revision;
    this.#journal?.rewrite(this.#records(), revision);
  }

  *#records() {
    for (const collection of this.#collections.values()) {
      for (const entry of collection.list("")) yield { collection: collection.name, ...entry };
    }
  }

  /** Closes the journal. */
  close(): void {
    this.#journal?.close();
  }
}
