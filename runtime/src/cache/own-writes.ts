import type { KubernetesObject } from "../api/index.ts";
import { keyOf, type Store } from "./store.ts";
import { versionNumber } from "./version.ts";

/** Long enough for any watch to catch up or to be found dead; a deletion of something never seen stops counting then. */
const deletionLifetime = 75_000;

/**
 * What this process has written and its informer hasn't seen yet. It is kept beside the store, never in it: the store and the
 * events that come of it stay those of the watch, in their order.
 */
export class OwnWrites<T extends KubernetesObject> {
  readonly #store: Store<T>;
  readonly #now: () => number;
  /** In the order of writing, which is nearly that of their versions. */
  readonly #written = new Map<string, { object: T; version: bigint }>();
  readonly #deleted = new Map<string, { uid: string; at: number }>();

  constructor(store: Store<T>, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  get size(): number {
    return this.#written.size + this.#deleted.size;
  }

  /** A server's answer to a write. `seen` is how far the informer has come: an answer that it knows already is not kept. */
  wrote(object: T, seen: bigint | undefined): void {
    const version = versionNumber(object.metadata?.resourceVersion);
    if (version === undefined || (seen !== undefined && version <= seen)) return;
    const key = keyOf(object);
    const known = versionNumber(this.#store.get(key)?.metadata?.resourceVersion);
    if (known !== undefined && known >= version) return;
    const deletion = this.#deleted.get(key);
    if (deletion && deletion.uid === object.metadata?.uid) return;
    const earlier = this.#written.get(key);
    if (earlier && earlier.version >= version) return;
    this.#written.delete(key);
    this.#written.set(key, { object, version });
  }

  /** An object is gone for good: not only marked for deletion. */
  deleted(key: string, uid: string): void {
    if (this.#written.get(key)?.object.metadata?.uid === uid) this.#written.delete(key);
    const newer = this.#written.get(key) ?? { object: this.#store.get(key) };
    if (newer.object && newer.object.metadata?.uid !== uid) return;
    this.#deleted.set(key, { uid, at: this.#now() });
  }

  /** The informer has seen everything up to this version. */
  seen(version: bigint | undefined, covers: (object: T) => boolean = () => true): void {
    if (this.#written.size === 0 || version === undefined) return;
    for (const [key, entry] of this.#written) {
      if (entry.version > version) break;
      if (covers(entry.object)) this.#written.delete(key);
    }
  }

  /** The informer has seen the end of an object. */
  sawDeletion(key: string, uid: string | undefined): void {
    if (this.#deleted.get(key)?.uid === uid) this.#deleted.delete(key);
  }

  /** The newest state of an object, of the store's and ours. */
  get(key: string): T | undefined {
    const stored = this.#store.get(key);
    const entry = this.#written.get(key);
    const object = entry && isNewer(entry.version, stored) ? entry.object : stored;
    return object && this.#isDeleted(key, object) ? undefined : object;
  }

  /** Lays our writes over what the store gave for a list; `matches` says which objects belong into it. */
  overlay(objects: Iterable<T>, matches: (object: T) => boolean): T[] {
    if (this.size === 0) return [...objects];
    const result: T[] = [];
    const taken = new Set<string>();
    for (const object of objects) {
      const key = keyOf(object);
      taken.add(key);
      const newest = this.get(key);
      if (newest && (newest === object || matches(newest))) result.push(newest);
    }
    for (const key of this.#written.keys()) {
      if (taken.has(key)) continue;
      const newest = this.get(key);
      if (newest && matches(newest)) result.push(newest);
    }
    return result;
  }

  #isDeleted(key: string, object: T): boolean {
    const deletion = this.#deleted.get(key);
    if (!deletion) return false;
    if (deletion.uid === object.metadata?.uid && this.#now() - deletion.at < deletionLifetime) return true;
    this.#deleted.delete(key);
    return false;
  }
}

function isNewer(version: bigint, stored: KubernetesObject | undefined): boolean {
  const known = versionNumber(stored?.metadata?.resourceVersion);
  return known === undefined || known < version;
}
