import type { KubernetesObject } from "../api/index.ts";
import type { Client, List, ListOptions, ObjectKey, Reader, ReadOptions, Stored } from "../client/client.ts";
import { DelegatingClient } from "../client/wrappers/delegate.ts";
import type { Kind } from "../kind.ts";

/** A client that reads from one side and writes to the other: from the cache, to the server. */
export class CachedClient extends DelegatingClient {
  readonly #reader: Reader;

  constructor(reader: Reader, live: Client) {
    super(live);
    this.#reader = reader;
  }

  override get<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey, options?: ReadOptions): Promise<Stored<T>> {
    return this.#reader.get(kind, key, options);
  }

  override list<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions): Promise<List<T>> {
    return this.#reader.list(kind, options);
  }
}
