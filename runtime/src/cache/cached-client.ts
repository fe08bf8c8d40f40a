import type { KubernetesObject } from "../api/index.ts";
import type {
  ApplyOptions,
  Client,
  DeleteOptions,
  List,
  ListOptions,
  ObjectKey,
  Reader,
  ReadOptions,
  Stored,
  SubResourceClient,
  SubResourceWriter,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "../client/client.ts";
import type { Patch } from "../client/patch.ts";
import type { Kind } from "../kind.ts";

/** A client that reads from one side and writes to the other: from the cache, to the server. */
export class CachedClient implements Client {
  readonly status: SubResourceWriter;
  readonly #reader: Reader;
  readonly #live: Client;

  constructor(reader: Reader, live: Client) {
    this.#reader = reader;
    this.#live = live;
    this.status = live.status;
  }

  get<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey, options?: ReadOptions): Promise<Stored<T>> {
    return this.#reader.get(kind, key, options);
  }

  list<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions): Promise<List<T>> {
    return this.#reader.list(kind, options);
  }

  create<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>> {
    return this.#live.create(object, options);
  }

  update<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>> {
    return this.#live.update(object, options);
  }

  patch<T extends KubernetesObject>(object: T, patch: Patch, options?: WriteOptions): Promise<Stored<T>> {
    return this.#live.patch(object, patch, options);
  }

  apply<T extends KubernetesObject>(object: T, options: ApplyOptions): Promise<Stored<T>> {
    return this.#live.apply(object, options);
  }

  delete(object: KubernetesObject, options?: DeleteOptions): Promise<void>;
  delete<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  delete(target: KubernetesObject | Kind, second?: ObjectKey | DeleteOptions, options?: DeleteOptions): Promise<void> {
    // Live clients tell the two forms apart themselves.
    return this.#live.delete(target as Kind, second as ObjectKey, options);
  }

  deleteAllOf<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions & DeleteOptions): Promise<void> {
    return this.#live.deleteAllOf(kind, options);
  }

  watch<T extends KubernetesObject>(kind: Kind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>> {
    return this.#live.watch(kind, options);
  }

  subResource(name: string): SubResourceClient {
    return this.#live.subResource(name);
  }
}
