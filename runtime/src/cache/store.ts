import type { KubernetesObject } from "../api/index.ts";

/** The values under which an object is found in an index. */
export type IndexFunc<T extends KubernetesObject> = (object: T) => readonly string[];

/** Where an object stands in a store. */
export function storeKey(namespace: string | undefined, name: string): string {
  return `${namespace ?? ""}/${name}`;
}

export function keyOf(object: KubernetesObject): string {
  return storeKey(object.metadata?.namespace, object.metadata?.name ?? "");
}

interface Index<T extends KubernetesObject> {
  values: IndexFunc<T>;
  keys: Map<string, Set<string>>;
}

/** The objects of one kind by namespace and name, with their indexes. Objects in it are frozen and shared. */
export class Store<T extends KubernetesObject> {
  readonly #objects = new Map<string, T>();
  readonly #namespaces = new Map<string, Set<string>>();
  readonly #indexes = new Map<string, Index<T>>();

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  /** Puts an object in place of its former self, which is given back. */
  set(object: T): T | undefined {
    const key = keyOf(object);
    const old = this.#objects.get(key);
    if (old) this.#unindex(key, old);
    else addTo(this.#namespaces, object.metadata?.namespace ?? "", key);
    this.#objects.set(key, object);
    for (const index of this.#indexes.values()) {
      for (const value of index.values(object)) addTo(index.keys, value, key);
    }
    return old;
  }

  delete(key: string): T | undefined {
    const old = this.#objects.get(key);
    if (!old) return undefined;
    this.#unindex(key, old);
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

  hasIndex(name: string): boolean {
    return this.#indexes.has(name);
  }

  /** Throws when there is an index of that name. */
  addIndex(name: string, values: IndexFunc<T>): void {
    if (this.#indexes.has(name)) throw new Error(`index ${JSON.stringify(name)} exists already`);
    const index: Index<T> = { values, keys: new Map() };
    for (const [key, object] of this.#objects) for (const value of values(object)) addTo(index.keys, value, key);
    this.#indexes.set(name, index);
  }

  *byIndex(name: string, value: string): IterableIterator<T> {
    for (const key of this.#indexes.get(name)?.keys.get(value) ?? []) yield this.#objects.get(key)!;
  }

  /** What an index says of an object that needn't be in the store. */
  indexed(name: string, object: T, value: string): boolean {
    return this.#indexes.get(name)?.values(object).includes(value) ?? false;
  }

  #unindex(key: string, object: T): void {
    for (const index of this.#indexes.values()) {
      for (const value of index.values(object)) removeFrom(index.keys, value, key);
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
