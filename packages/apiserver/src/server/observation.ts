import type { JsonObject } from "@kubewright/cel/json";
import type { ResourceType } from "../model/resource.ts";
import type { Change, Entry } from "../model/stored-state.ts";
import { type Engine, parseStored, stateOf } from "../registry/scope.ts";
import type { Collection } from "../storage/collection.ts";

/** A write that has reached the store. Objects are in the version in which they are stored. */
export interface StoredWrite {
  group: string;
  kind: string;
  /** The name of the resource in URLs, such as `deployments`. */
  resource: string;
  /** Empty for objects without a namespace. */
  namespace: string;
  name: string;
  revision: number;
  isNew: boolean;
  isDeletion: boolean;
  /** The state before the write; undefined for a new object. It is parsed when it is read, and must not be changed. */
  readonly before: JsonObject | undefined;
  /** The state after the write; undefined for a deletion. It is parsed when it is read, and must not be changed. */
  readonly after: JsonObject | undefined;
}

class WriteOfType implements StoredWrite {
  readonly group: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  readonly isNew: boolean;
  readonly isDeletion: boolean;
  readonly #type: ResourceType;
  readonly #change: Change;

  constructor(type: ResourceType, change: Change) {
    const { key, revision, previous, deleted } = change;
    const slash = type.namespaced ? key.indexOf("/") : -1;
    this.group = type.group;
    this.kind = type.kind;
    this.resource = type.resource;
    this.namespace = key.slice(0, Math.max(0, slash));
    this.name = key.slice(slash + 1);
    this.revision = revision;
    this.isNew = previous === undefined;
    this.isDeletion = deleted;
    this.#type = type;
    this.#change = change;
  }

  get before(): JsonObject | undefined {
    const { previous } = this.#change;
    return previous && stateOf(this.#type, previous);
  }

  get after(): JsonObject | undefined {
    const { deleted, entry } = this.#change;
    return deleted ? undefined : stateOf(this.#type, entry);
  }
}

/** Reads the store of a server without requests, and reports its writes. */
export class Observation {
  readonly #engine: Engine;
  readonly #found = new Map<string, ResourceType>();
  /** The shared objects. */
  readonly #views = new WeakMap<Entry, JsonObject>();

  /** @param engine - the server */
  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Reads all objects of a kind.
   *
   * @param group - the group, empty for the core group
   * @param kind - the kind
   * @param isShared - whether later calls may return the same objects
   * @returns objects in the version in which they are stored, in the order of their keys; none for unknown kinds
   */
  objects(group: string, kind: string, isShared = false): JsonObject[] {
    const type = this.#ofKind(group, kind);
    if (type === undefined) return [];
    return this.#engine.store
      .collection(type.collection)
      .list("")
      .map((entry) => this.#read(type, entry, isShared));
  }

  #read(type: ResourceType, entry: Entry, isShared: boolean): JsonObject {
    if (!isShared) return parseStored(type, entry.text);
    let view = this.#views.get(entry);
    if (view === undefined) {
      view = parseStored(type, entry.text);
      this.#views.set(entry, view);
    }
    return view;
  }

  /**
   * Returns the revision of the last write of an object.
   *
   * @param group - the group, empty for the core group
   * @param kind - the kind
   * @param namespace - the namespace, empty for objects without one
   * @param name - the name
   * @returns the revision; undefined if the object doesn't exist
   */
  revision(group: string, kind: string, namespace: string, name: string): number | undefined {
    return this.#entry(this.#ofKind(group, kind), namespace, name)?.revision;
  }

  /**
   * Reads one object.
   *
   * @param group - the group, empty for the core group
   * @param kind - the kind
   * @param namespace - the namespace, empty for objects without one
   * @param name - the name
   * @param isShared - whether later calls may return the same object
   * @returns the object in the version in which it is stored; undefined if it doesn't exist
   */
  object(group: string, kind: string, namespace: string, name: string, isShared = false): JsonObject | undefined {
    const type = this.#ofKind(group, kind);
    const entry = this.#entry(type, namespace, name);
    return entry && this.#read(type as ResourceType, entry, isShared);
  }

  #entry(type: ResourceType | undefined, namespace: string, name: string): Entry | undefined {
    return type && this.#engine.store.collection(type.collection).get(type.namespaced ? `${namespace}/${name}` : name);
  }

  /** Returns the kinds that have objects: group, kind and name of the resource. */
  *kinds(): Generator<{ group: string; kind: string; resource: string }> {
    const seen = new Set<string>();
    for (const { group, kind, resource, collection } of this.#engine.resources()) {
      if (seen.has(collection) || this.#engine.store.collection(collection).size === 0) continue;
      seen.add(collection);
      yield { group, kind, resource };
    }
  }

  /**
   * Calls a function after each write, before its response.
   *
   * @param listener - receives the write
   * @returns a function that ends the calls
   */
  onWrite(listener: (write: StoredWrite) => void): () => void {
    return this.#engine.store.onWrite((collection, change) => {
      const write = this.#written(collection, change);
      if (write) listener(write);
    });
  }

  #written(collection: Collection, change: Change): StoredWrite | undefined {
    const type = this.#find(collection.name, (resourceType) => resourceType.collection === collection.name);
    if (type === undefined) return undefined;
    return new WriteOfType(type, change);
  }

  #ofKind(group: string, kind: string): ResourceType | undefined {
    return this.#find(`${group}/${kind}`, (resourceType) => resourceType.group === group && resourceType.kind === kind);
  }

  /** Searches all resources, and remembers what was found as long as it is served. */
  #find(key: string, matches: (type: ResourceType) => boolean): ResourceType | undefined {
    const cached = this.#found.get(key);
    if (cached && this.#engine.resource(cached.group, cached.resource) === cached) return cached;
    for (const type of this.#engine.resources()) {
      if (!matches(type)) continue;
      this.#found.set(key, type);
      return type;
    }
    return undefined;
  }
}
