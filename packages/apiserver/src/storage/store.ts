import type { Change, Entry } from "../model/stored-state.ts";
import { Collection, type HistoryLimits } from "./collection.ts";
import type { Journal } from "./journal.ts";

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
  readonly #restoreListeners = new Set<() => void>();
  #revision = 1;
  /** The time from which the next write looks for changes that are too old. */
  #nextSweep = 0;
  /** The names of the collections of resources that aren't served anymore. */
  readonly #retired = new Set<string>();
  /** The revision at the start. */
  #oldest = 0;
  #watchable = 0;

  /**
   * @param options - `now` returns milliseconds that never decrease; a journal receives each write
   */
  constructor(options: { now: () => number; limits?: Partial<HistoryLimits>; journal?: Journal }) {
    this.#now = options.now;
    this.#limits = { changes: 10_000, age: 300_000, size: 64 * 2 ** 20, ...options.limits };
    this.#journal = options.journal;
    const { objects, revision } = options.journal?.read() ?? { objects: [], revision: 0 };
    for (const { collection, ...entry } of objects) this.collection(collection).load(entry);
    this.#revision = Math.max(this.#revision, revision);
    // The journal has no history. Clients that continue a watch across a restart would miss deletions, so they get 410.
    this.#oldest = revision;
    for (const collection of this.#collections.values()) collection.hide(revision);
  }

  /** The revision of the last write. */
  get revision(): number {
    return this.#revision;
  }

  /** Returns the collection of this name, created if it doesn't exist. */
  collection(name: string): Collection {
    let collection = this.#collections.get(name);
    if (collection === undefined) {
      collection = new Collection(name);
      collection.hide(this.#oldest);
      this.#collections.set(name, collection);
    }
    return collection;
  }

  /** The revision before which no watch can begin. */
  get watchable(): number {
    return this.#watchable;
  }

  /** Keeps watches from beginning before this moment. Lists can still read past states. */
  hidePast(): void {
    this.#watchable = this.#revision;
  }

  /**
   * Announces that a resource isn't served anymore. Its collection is removed when it is empty and its past has expired.
   *
   * @param name - the name of the collection
   */
  retire(name: string): void {
    this.#retired.add(name);
  }

  /**
   * Announces that a resource is served again.
   *
   * @param name - the name of the collection
   */
  reinstate(name: string): void {
    this.#retired.delete(name);
  }

  /** Returns all collections. */
  collections(): Iterable<Collection> {
    return this.#collections.values();
  }

  /**
   * Writes an object.
   *
   * @param collection - where
   * @param key - `namespace/name`, or the name of an object without a namespace
   * @param text - creates the JSON of the object, given the revision of this write
   * @param incomplete - whether the JSON lacks defaults of its version, which readers add
   * @param created - receives the new state before anything can read it
   * @returns the new state
   * @throws Error if the journal can't be written. Nothing is changed then.
   */
  put(
    collection: Collection,
    key: string,
    text: (revision: number) => string,
    incomplete = false,
    created?: (entry: Entry) => void,
  ): Entry {
    return this.#write(collection, key, text, false, incomplete, created);
  }

  /**
   * Deletes an object.
   *
   * @param collection - where
   * @param key - the key of an object that exists
   * @param text - creates the JSON of the last state, which watches report, given the revision of the deletion
   * @param incomplete - whether the JSON lacks defaults of its version, which readers add
   * @returns the last state, with the revision of the deletion
   * @throws Error if the journal can't be written. Nothing is changed then.
   */
  delete(collection: Collection, key: string, text: (revision: number) => string, incomplete = false): Entry {
    return this.#write(collection, key, text, true, incomplete);
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

  /**
   * Calls a function after each return to a past state, before the collections report it.
   *
   * @param listener - receives no arguments
   * @returns a function that ends the calls
   */
  onRestore(listener: () => void): () => void {
    this.#restoreListeners.add(listener);
    return () => this.#restoreListeners.delete(listener);
  }

  #write(
    collection: Collection,
    key: string,
    text: (revision: number) => string,
    deleted: boolean,
    incomplete: boolean,
    created?: (entry: Entry) => void,
  ): Entry {
    const revision = this.#revision + 1;
    const entry: Entry = { key, revision, text: text(revision), ...(incomplete ? { incomplete } : {}) };
    this.#journal?.append({ collection: collection.name, ...(deleted ? { key, revision } : entry) });
    this.#revision = revision;
    created?.(entry);
    const previous = collection.get(key);
    const change: Change = { revision, time: this.#now(), key, entry, deleted, previous };
    try {
      collection.apply(change, this.#limits);
    } finally {
      // A listener that is added now is called after the next write.
      for (const listener of [...this.#listeners]) listener(collection, change);
    }
    if (this.#journal?.isLarge) this.#journal.compact(this.#records(), revision);
    if (change.time >= this.#nextSweep) this.#sweep(change.time);
    return entry;
  }

  /** Frees the memory of collections that aren't written anymore. */
  #sweep(now: number): void {
    this.#nextSweep = now + this.#limits.age / 2;
    for (const collection of this.#collections.values()) collection.expire(now, this.#limits);
    for (const name of this.#retired) {
      const collection = this.#collections.get(name);
      if (collection?.isUnused) {
        this.#oldest = Math.max(this.#oldest, collection.oldest);
        this.#collections.delete(name);
      }
      if (!this.#collections.has(name)) this.#retired.delete(name);
    }
  }

  /**
   * Returns to a past state. All watches end.
   *
   * @param revision - a revision within the history of all resources
   * @throws RangeError if the history doesn't reach back that far
   * @throws Error if the journal can't be written. Nothing is changed then.
   */
  restore(revision: number): void {
    const collections = [...this.#collections.values()];
    const oldest = Math.max(this.#oldest, ...collections.map((collection) => collection.oldest));
    if (!Number.isSafeInteger(revision) || revision < oldest || revision > this.#revision) {
      throw new RangeError(`restore ${revision}: must be between ${oldest} and ${this.#revision}`);
    }
    // If the file can't be written, nothing has changed.
    this.#journal?.rewrite(this.#records(revision), revision);
    for (const collection of collections) collection.rewind(revision);
    this.#revision = revision;
    this.#watchable = Math.min(this.#watchable, revision);
    // Listeners may read any collection, so all have the past state before the first listener is called.
    for (const listener of this.#restoreListeners) listener();
    for (const collection of collections) collection.notify();
  }

  /**
   * Writes the file of the journal again if it was removed.
   *
   * @returns whether it was written
   * @throws Error if it can't be written
   */
  saveAgain(): boolean {
    if (!this.#journal?.isRemoved) return false;
    this.#journal.recreate(this.#records(), this.#revision);
    return true;
  }

  *#records(revision = this.#revision) {
    for (const collection of this.#collections.values()) {
      for (const entry of collection.listAt("", revision)) yield { collection: collection.name, ...entry };
    }
  }

  /** Closes the journal. */
  close(): void {
    this.#journal?.close();
  }
}
