import type { JsonObject } from "./json/json.ts";
import type { ApiObject, ResourceType } from "./registry/resource.ts";
import { type Engine, parseStored } from "./registry/scope.ts";
import type { Change, Collection } from "./storage/store.ts";

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
  /** The state before the write; undefined for a new object. */
  before: JsonObject | undefined;
  /** The state after the write; undefined for a deletion. */
  after: JsonObject | undefined;
}

/** Reads the store of a server without requests, and reports its writes. */
export class Observation {
  readonly #engine: Engine;

  /** @param engine - the server */
  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Reads all objects of a kind.
   *
   * @param group - the group, empty for the core group
   * @param kind - the kind
   * @returns new objects in the version in which they are stored, in the order of their keys; none for unknown kinds
   */
  objects(group: string, kind: string): JsonObject[] {
    const type = this.#find((one) => one.group === group && one.kind === kind);
    if (type === undefined) return [];
    return this.#engine.store
      .collection(type.collection)
      .list("")
      .map(({ text }) => parseStored(type, text));
  }

  /**
   * Reads one object.
   *
   * @param group - the group, empty for the core group
   * @param kind - the kind
   * @param namespace - the namespace, empty for objects without one
   * @param name - the name
   * @returns a new object in the version in which it is stored; undefined if it doesn't exist
   */
  object(group: string, kind: string, namespace: string, name: string): JsonObject | undefined {
    const type = this.#find((one) => one.group === group && one.kind === kind);
    const entry =
      type && this.#engine.store.collection(type.collection).get(type.namespaced ? `${namespace}/${name}` : name);
    return entry && parseStored(type as ResourceType, entry.text);
  }

  /** @returns the kinds that have objects: group, kind and name of the resource */
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

  #written(collection: Collection, { key, revision, previous, entry, deleted }: Change): StoredWrite | undefined {
    const type = this.#find((one) => one.collection === collection.name);
    if (type === undefined) return undefined;
    const { group, kind, resource } = type;
    const parse = (text: string): ApiObject => parseStored(type, text);
    const [namespace, name] = type.namespaced ? (key.split("/", 2) as [string, string]) : ["", key];
    const before = previous && parse(previous.text);
    return { group, kind, resource, namespace, name, revision, before, after: deleted ? undefined : parse(entry.text) };
  }

  #find(matches: (type: ResourceType) => boolean): ResourceType | undefined {
    for (const type of this.#engine.resources()) if (matches(type)) return type;
    return undefined;
  }
}
