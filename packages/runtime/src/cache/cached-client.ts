import type { KubernetesObject } from "../api/index.ts";
import { groupKind, type Kind } from "../api/kind.ts";
import type {
  Client,
  List,
  ListOptions,
  ObjectKey,
  Reader,
  ReadOptions,
  Stored,
  WholeObjects,
} from "../client/client.ts";
import { DelegatingClient } from "../client/wrappers/delegate.ts";

/** A client that reads from the cache and writes to the server. */
export class CachedClient extends DelegatingClient {
  readonly #reader: Reader;
  readonly #uncached: ReadonlySet<string>;

  /** Creates a client that reads all versions of the kinds in `uncached` live. */
  constructor(reader: Reader, live: Client, uncached: readonly Kind[] = []) {
    super(live);
    this.#reader = reader;
    this.#uncached = new Set(uncached.map(groupKind));
  }

  protected override getObject<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: ReadOptions,
  ): Promise<Stored<T>> {
    return this.#readerOf(kind).get(kind, key, options as WholeObjects);
  }

  protected override listObjects<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions): Promise<List<T>> {
    return this.#readerOf(kind).list(kind, options as WholeObjects);
  }

  #readerOf(kind: Kind): Reader {
    return this.#uncached.size > 0 && this.#uncached.has(groupKind(kind)) ? this.inner : this.#reader;
  }
}
