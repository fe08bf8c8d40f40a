import type { KubernetesObject } from "../api/index.ts";

/**
 * Returns the values of an object in an index. If it throws, the index doesn't find the object; reads without the index do.
 *
 * @param object - the object, which must not be changed
 * @returns the values
 */
export type IndexFunc<T extends KubernetesObject> = (object: T) => readonly string[];

/** Returns the key of an object in a store. */
export function storeKey(namespace: string | undefined, name: string): string {
  return `${namespace ?? ""}/${name}`;
}

export function keyOf(object: KubernetesObject): string {
  return storeKey(object.metadata?.namespace, object.metadata?.name ?? "");
}

interface Index<T extends KubernetesObject> {
  values: IndexFunc<T>;
  /** The keys of the objects per value. */
  keys: Map<string, Set<string>>;
  /** The values per object key. They are stored because the function can return other values later. */
  indexed: Map<string, readonly string[]>;
}

/** Receives errors of index functions. */
export type IndexErrorHandler<T extends KubernetesObject> = (error: unknown, index: string, object: T) => void;

/** The objects of one kind by namespace and name, with their indexes. Its objects are frozen and shared. */
export class Store<T extends KubernetesObject> {
  readonly #objects = new Map<string, T>();
  readonly #namespaces = new Map<string, Set<string>>();
  readonly #indexes = new Map<string, Index<T>>();
  readonly #onIndexError: IndexErrorHandler<T>;

  constructor(onIndexError: IndexErrorHandler<T> = () => {}) {
    this.#onIndexError = onIndexError;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  /** Stores an object. Returns the previous one. */
  set(object: T): T | undefined {
    const key = keyOf(object);
    const old = this.#objects.get(key);
    if (old) this.#unindex(key);
    else addTo(this.#namespaces, object.metadata?.namespace ?? "", key);
    this.#objects.set(key, object);
    for (const [name, index] of this.#indexes) this.#index(name, index, key, object);
    return old;
  }

  delete(key: string): T | undefined {
    const old = this.#objects.get(key);
    if (!old) return undefined;
    this.#unindex(key);
    this.#objects.delete(key);
    removeFrom(this.#namespaces, old.metadata?.namespace ?? "", key);
    return old;
  }

  values(): IterableIterator<T> {
    return this.#objects.values();
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  *inNamespace(namespace: string): IterableIterator<T> {
    for (const key of this.#namespaces.get(namespace) ?? []) yield this.#objects.get(key)!;
  }

  /** Returns the number of objects per namespace. */
  *namespaceSizes(): IterableIterator<[namespace: string, objects: number]> {
    for (const [namespace, keys] of this.#namespaces) yield [namespace, keys.size];
  }

  hasIndex(name: string): boolean {
    return this.#indexes.has(name);
  }

  /** Adds an index. Throws if the name is taken. */
  addIndex(name: string, values: IndexFunc<T>): void {
    if (this.#indexes.has(name)) throw new Error(`index ${JSON.stringify(name)} already exists`);
    const index: Index<T> = { values, keys: new Map(), indexed: new Map() };
    for (const [key, object] of this.#objects) this.#index(name, index, key, object);
    this.#indexes.set(name, index);
  }

  *byIndex(name: string, value: string): IterableIterator<T> {
    for (const key of this.#indexes.get(name)?.keys.get(value) ?? []) yield this.#objects.get(key)!;
  }

  /** Checks whether an index finds an object by a value. The object can be outside the store. */
  indexed(name: string, object: T, value: string): boolean {
    const index = this.#indexes.get(name);
    if (!index) return false;
    const key = keyOf(object);
    const values = this.#objects.get(key) === object ? index.indexed.get(key) : this.#valuesOf(name, index, object);
    return values?.includes(value) ?? false;
  }

  #index(name: string, index: Index<T>, key: string, object: T): void {
    const values = this.#valuesOf(name, index, object);
    if (!values || values.length === 0) return;
    index.indexed.set(key, values);
    for (const value of values) addTo(index.keys, value, key);
  }

  /** Returns the values of an object, or `undefined` if the user's function fails. */
  #valuesOf(name: string, index: Index<T>, object: T): readonly string[] | undefined {
    try {
      return [...index.values(object)];
    } catch (error) {
      this.#onIndexError(error, name, object);
      return undefined;
    }
  }

  #unindex(key: string): void {
    for (const { keys, indexed } of this.#indexes.values()) {
      for (const value of indexed.get(key) ?? []) removeFrom(keys, value, key);
      indexed.delete(key);
    }
  }
}

function addTo(map: Map<string, Set<string>>, at: string, key: string): void {
  const keys = map.get(at);
  if (keys) keys.add(key);
  else map.set(at, new Set([key]));
}

function removeFrom(map: Map<string, Set<string>>, at: string, key: string): void {
  const keys = map.get(at);
  if (!keys) return;
  keys.delete(key);
  if (keys.size === 0) map.delete(at);
}
