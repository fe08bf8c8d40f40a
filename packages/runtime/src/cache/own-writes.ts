import type { KubernetesObject } from "../api/index.ts";
import { keyOf, type Store } from "./store.ts";
import { versionNumber } from "./version.ts";

/**
 * Time in milliseconds after which every live watch has delivered a write, and every dead watch was detected and replaced.
 */
const lifetime = 75_000;

interface Write<T> {
  object: T;
  version: bigint;
  at: number;
  /** Whether the informer hasn't delivered any state of the object. */
  isNew: boolean;
}

/** The removal of an object, which hides its states. */
interface Removal<T> {
  uid: string;
  /** The last write of an object that the informer hasn't delivered. */
  unseen?: Write<T>;
  /**
   * Version of the write that moved the object out of the selector. Unset if the object was deleted, since it then has no
   * later state.
   */
  version?: bigint;
  at: number;
}

/**
 * Writes of this process that the informer hasn't seen yet. They are stored separately: the store and its events contain
 * only what the watch delivers, in its order.
 * Each entry ends when the informer has seen the write, or after {@link lifetime}.
 */
export class OwnWrites<T extends KubernetesObject> {
  readonly #store: Store<T>;
  readonly #now: () => number;
  /** In the order of writing, which nearly matches the order of versions. */
  readonly #written = new Map<string, Write<T>>();
  /** In the order of time. */
  readonly #removed = new Map<string, Removal<T>>();

  constructor(store: Store<T>, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** The number of entries that haven't expired. */
  get size(): number {
    this.#dropExpiredRemovals();
    return this.#written.size + this.#removed.size;
  }

  /**
   * Records the response to a write.
   *
   * @param seen the version that the informer has reached; responses up to this version were already seen
   */
  wrote(object: T, seen: bigint | undefined): void {
    const version = versionNumber(object.metadata?.resourceVersion);
    if (version === undefined || (seen !== undefined && version <= seen)) return;
    const key = keyOf(object);
    const storedVersion = versionNumber(this.#store.get(key)?.metadata?.resourceVersion);
    if (storedVersion !== undefined && storedVersion >= version) return;
    const removal = this.#removed.get(key);
    if (removal?.uid === object.metadata?.uid && (removal?.version === undefined || removal.version >= version)) return;
    const earlier = this.#written.get(key);
    if (earlier && earlier.version >= version) return;
    const isNew = isSame(earlier?.object, object) ? earlier?.isNew === true : !isSame(this.#store.get(key), object);
    this.#written.delete(key);
    this.#written.set(key, { object, version, at: this.#now(), isNew });
  }

  /** Records that the informer has delivered a state of an object. */
  delivered(object: T): void {
    const key = keyOf(object);
    const write = this.#written.get(key);
    if (write && isSame(write.object, object)) write.isNew = false;
    const removal = this.#removed.get(key);
    if (removal?.uid === object.metadata?.uid) delete removal?.unseen;
  }

  /** Records that an object was removed, not only marked for deletion. */
  removed(key: string, uid: string): void {
    this.#remove(key, uid);
  }

  /** Records that a write moved an object out of the informer's selector. */
  left(key: string, uid: string, resourceVersion: string | undefined): void {
    const version = versionNumber(resourceVersion);
    if (version !== undefined) this.#remove(key, uid, version);
  }

  /**
   * Drops the entries that the informer has seen. The informer has reached this version for the objects that `covers`
   * accepts.
   *
   * @returns the written objects that were gone before the informer could deliver them: the list after a lost watch lacks
   *   them. Reads have returned them until now, and no event reports that they are gone.
   */
  seen(version: bigint | undefined, covers: (object: T) => boolean = () => true): T[] {
    const gone: T[] = [];
    if (version === undefined) return gone;
    const end = ({ object, isNew }: Write<T>): void => {
      if (isNew && !this.#store.get(keyOf(object))) gone.push(object);
    };
    // If a live watch never delivers an entry, the server's history was reverted, for example by restoring a backup.
    const expired = this.#now() - lifetime;
    for (const [key, write] of this.#written) {
      if (write.version > version && write.at > expired) break;
      if (!covers(write.object)) continue;
      this.#written.delete(key);
      end(write);
    }
    for (const [key, removal] of this.#removed) {
      const { unseen } = removal;
      if (unseen && unseen.version <= version && covers(unseen.object)) {
        delete removal.unseen;
        end(unseen);
      }
      if (removal.version === undefined || removal.version > version) continue;
      const stored = this.#store.get(key);
      if (!stored || covers(stored)) this.#removed.delete(key);
    }
    return gone;
  }

  /** Drops the writes of objects that no longer belong to this process. */
  drop(isDropped: (object: T) => boolean): void {
    for (const [key, { object }] of this.#written) if (isDropped(object)) this.#written.delete(key);
  }

  /** Drops the removal of an object after the informer has seen the removal. */
  sawDeletion(key: string, uid: string | undefined): void {
    if (this.#removed.get(key)?.uid === uid) this.#removed.delete(key);
  }

  /** Returns the newest state of an object, from the store or from a write of this process. */
  get(key: string): T | undefined {
    const stored = this.#store.get(key);
    const write = this.#written.get(key);
    const object = write && isNewer(write.version, stored) ? write.object : stored;
    return object && this.#isRemoved(key, object) ? undefined : object;
  }

  /**
   * Returns the objects of a list in their newest state.
   *
   * @param objects the matching objects of the store
   * @param matches whether a state belongs to the list
   */
  overlay(objects: Iterable<T>, matches: (object: T) => boolean): T[] {
    const byStored = new Map<T, T | undefined>();
    const unseen: T[] = [];
    for (const key of new Set([...this.#written.keys(), ...this.#removed.keys()])) {
      const stored = this.#store.get(key);
      const newest = this.get(key);
      if (newest === stored) continue;
      if (stored) byStored.set(stored, newest);
      else if (newest) unseen.push(newest);
    }
    if (byStored.size === 0 && unseen.length === 0) return [...objects];
    const result: T[] = [];
    for (const object of objects) {
      if (!byStored.has(object)) {
        result.push(object);
        continue;
      }
      const newest = byStored.get(object);
      byStored.delete(object);
      if (newest && matches(newest)) result.push(newest);
    }
    for (const newest of [...byStored.values(), ...unseen]) if (newest && matches(newest)) result.push(newest);
    return result;
  }

  #remove(key: string, uid: string, version?: bigint): void {
    this.#dropExpiredRemovals();
    const write = this.#written.get(key);
    const isEnded = write?.object.metadata?.uid === uid && (version === undefined || write.version <= version);
    if (isEnded) this.#written.delete(key);
    const unseen = isEnded && write.isNew ? { unseen: write } : {};
    const remaining = this.#written.get(key)?.object ?? this.#store.get(key);
    if (remaining && remaining.metadata?.uid !== uid) return;
    this.#removed.delete(key);
    this.#removed.set(key, { uid, version, at: this.#now(), ...unseen });
  }

  #isRemoved(key: string, object: T): boolean {
    const removal = this.#removed.get(key);
    if (!removal) return false;
    const { uid, version, at } = removal;
    const objectVersion = versionNumber(object.metadata?.resourceVersion) ?? 0n;
    const isHidden =
      uid === object.metadata?.uid &&
      this.#now() - at < lifetime &&
      (version === undefined || objectVersion <= version);
    if (!isHidden) this.#removed.delete(key);
    return isHidden;
  }

  #dropExpiredRemovals(): void {
    for (const [key, { at }] of this.#removed) {
      if (this.#now() - at < lifetime) return;
      this.#removed.delete(key);
    }
  }
}

function isSame(one: KubernetesObject | undefined, other: KubernetesObject): boolean {
  return one !== undefined && one.metadata?.uid === other.metadata?.uid;
}

function isNewer(version: bigint, stored: KubernetesObject | undefined): boolean {
  const storedVersion = versionNumber(stored?.metadata?.resourceVersion);
  return storedVersion === undefined || storedVersion < version;
}
