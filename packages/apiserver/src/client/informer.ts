import type { ApiObject, ResourceType } from "../model/resource.ts";
import type { Entry } from "../model/stored-state.ts";
import { type Engine, objectKey, stateOf } from "../registry/scope.ts";
import type { Collection } from "../storage/collection.ts";

/** Called after a change: with the new and the old state, one of which may be undefined. */
export type ChangeListener<T> = (object: T | undefined, old: T | undefined) => void;

/**
 * Holds all objects of a resource as they are stored, without managed fields, and reports their changes.
 *
 * It follows the store without delay: after a write, it has the new state. Its objects must not be changed.
 */
export class Informer<T extends ApiObject = ApiObject> {
  readonly type: ResourceType;
  readonly #collection: Collection;
  readonly #accepts: (key: string) => boolean;
  readonly #objects = new Map<string, T>();
  readonly #indexes: { keysOf: (object: T) => string[]; entries: Map<string, Map<string, T>> }[] = [];
  readonly #listeners: ChangeListener<T>[] = [];

  /**
   * @param engine - the server
   * @param type - the resource
   * @param accepts - returns false for the keys of objects to leave out
   */
  constructor(engine: Engine, type: ResourceType, accepts: (key: string) => boolean = () => true) {
    this.type = type;
    this.#accepts = accepts;
    this.#collection = engine.store.collection(type.collection);
  }

  /** Returns the object of this name; undefined if it doesn't exist. */
  get(namespace: string, name: string): T | undefined {
    return this.#objects.get(objectKey(this.type, namespace, name));
  }

  /** Returns the object with a key as in the store; undefined if it doesn't exist. */
  byKey(key: string): T | undefined {
    return this.#objects.get(key);
  }

  /** Returns all objects. */
  all(): Iterable<T> {
    return this.#objects.values();
  }

  /**
   * Adds an index. All indexes must be added before the start.
   *
   * @param keysOf - returns the keys under which an object is found
   * @returns a function that finds the objects with a key
   */
  index(keysOf: (object: T) => string[]): (key: string) => T[] {
    const entries = new Map<string, Map<string, T>>();
    this.#indexes.push({ keysOf, entries });
    return (key) => [...(entries.get(key)?.values() ?? [])];
  }

  /** Adds a function that is called after each change. At the start, it is called for each object. */
  onChange(listener: ChangeListener<T>): void {
    this.#listeners.push(listener);
  }

  /**
   * Begins to follow the store.
   *
   * @returns a function that ends it
   */
  start(): () => void {
    for (const entry of this.#collection.list("")) this.#set(entry.key, entry);
    return this.#collection.follow((key, entry) => this.#set(key, entry));
  }

  #set(key: string, entry: Entry | undefined): void {
    if (!this.#accepts(key)) return;
    const old = this.#objects.get(key);
    const object = entry && this.#objectOf(entry);
    if (object === undefined) this.#objects.delete(key);
    else this.#objects.set(key, object);
    try {
      this.#publish(key, object, old);
    } catch {
      // An object that a controller doesn't understand must not fail the write of a client.
    }
  }

  #objectOf(entry: Entry): T {
    const state = stateOf(this.type, entry);
    if (state.metadata.managedFields === undefined) return state as T;
    const { managedFields: _, ...metadata } = state.metadata;
    return { ...state, metadata } as ApiObject as T;
  }

  #publish(key: string, object: T | undefined, old: T | undefined): void {
    for (const { keysOf, entries } of this.#indexes) {
      for (const indexKey of old === undefined ? [] : keysOf(old)) {
        const group = entries.get(indexKey);
        group?.delete(key);
        if (group?.size === 0) entries.delete(indexKey);
      }
      for (const indexKey of object === undefined ? [] : keysOf(object)) {
        const group = entries.get(indexKey);
        if (group === undefined) entries.set(indexKey, new Map([[key, object as T]]));
        else group.set(key, object as T);
      }
    }
    for (const listener of this.#listeners) listener(object, old);
  }
}
