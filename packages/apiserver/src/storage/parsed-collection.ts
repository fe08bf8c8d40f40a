import { type JsonObject, parseJson } from "@kubewright/cel/json";
import type { Entry } from "../model/stored-state.ts";
import type { Collection } from "./collection.ts";

/** The objects of a collection in a parsed form. An object is parsed again only when it changes. */
export class ParsedCollection<T> {
  readonly #collection: Collection;
  readonly #parse: (object: JsonObject, key: string) => T;
  readonly #parsed = new WeakMap<Entry, { value: T }>();

  /**
   * @param collection - where the objects are
   * @param parse - creates the parsed form of a stored object, which has no `apiVersion` and `kind` if it is built in
   */
  constructor(collection: Collection, parse: (object: JsonObject, key: string) => T) {
    this.#collection = collection;
    this.#parse = parse;
  }

  /** The number of objects. */
  get size(): number {
    return this.#collection.size;
  }

  /** Returns the object with this key, if it exists. */
  get(key: string): T | undefined {
    const entry = this.#collection.get(key);
    return entry && this.#of(entry);
  }

  /** Returns the objects whose keys begin with `prefix`, in the order of the keys. */
  list(prefix = ""): T[] {
    return this.#collection.list(prefix).map((entry) => this.#of(entry));
  }

  #of(entry: Entry): T {
    let parsed = this.#parsed.get(entry);
    if (parsed === undefined) {
      parsed = { value: this.#parse(parseJson(entry.text) as JsonObject, entry.key) };
      this.#parsed.set(entry, parsed);
    }
    return parsed.value;
  }
}
