import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../api/kind.ts";
import { BaseClient } from "../base-client.ts";
import type {
  ApplyOptions,
  Client,
  DeleteOptions,
  List,
  ListOptions,
  ObjectKey,
  ReadOptions,
  Stored,
  SubResourceClient,
  SubResourceWriter,
  WatchEvent,
  WatchOptions,
  WholeObjects,
  WriteOptions,
} from "../client.ts";
import type { Patch } from "../patch.ts";

/** Forwards every call to another client. Wrappers override the methods that they change. */
export class DelegatingClient extends BaseClient {
  protected readonly inner: Client;

  constructor(inner: Client) {
    super();
    this.inner = inner;
  }

  /** Returns a client and those that it wraps, from the outermost to the innermost. */
  static chain(client: Client): Client[] {
    const chain = [client];
    for (let next = client; next instanceof DelegatingClient; next = next.inner) chain.push(next.inner);
    return chain;
  }

  get status(): SubResourceWriter {
    return this.inner.status;
  }

  update<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>> {
    return this.inner.update(object, options);
  }

  patch<T extends KubernetesObject>(object: T, patch: Patch, options?: WriteOptions): Promise<Stored<T>> {
    return this.inner.patch(object, patch, options);
  }

  deleteAllOf<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions & DeleteOptions): Promise<void> {
    return this.inner.deleteAllOf(kind, options);
  }

  watch<T extends KubernetesObject>(kind: Kind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>> {
    return this.inner.watch(kind, options);
  }

  subResource(name: string): SubResourceClient {
    return this.inner.subResource(name);
  }

  isObjectNamespaced(of: Kind | KubernetesObject): Promise<boolean> {
    return this.inner.isObjectNamespaced(of);
  }

  protected getObject<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: ReadOptions,
  ): Promise<Stored<T>> {
    // The overloads narrow the result type, which is that of whole objects here.
    return this.inner.get(kind, key, options as WholeObjects);
  }

  protected listObjects<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions): Promise<List<T>> {
    return this.inner.list(kind, options as WholeObjects);
  }

  protected createObject<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>> {
    return this.inner.create(object, options);
  }

  protected applyObject<T extends KubernetesObject>(object: T, options: ApplyOptions): Promise<Stored<T>> {
    return this.inner.apply(object, options);
  }

  protected deleteObject(object: KubernetesObject, options?: DeleteOptions): Promise<void> {
    return this.inner.delete(object, options);
  }

  protected deleteByKey(kind: Kind, key: ObjectKey, options?: DeleteOptions): Promise<void> {
    return this.inner.delete(kind, key, options);
  }
}
