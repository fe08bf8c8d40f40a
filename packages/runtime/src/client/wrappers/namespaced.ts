import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../api/kind.ts";
import { interruptible } from "../../clock/abort.ts";
import type {
  ApplyOptions,
  Client,
  DeleteOptions,
  LinesOptions,
  List,
  ListOptions,
  ObjectKey,
  ReadOptions,
  Stored,
  SubResourceClient,
  SubResourceWriter,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "../client.ts";
import type { Patch } from "../patch.ts";
import { DelegatingClient } from "./delegate.ts";

/**
 * Creates a client of one namespace: it sets the namespace if there is none, and rejects any other one with a
 * `TypeError`. Requests for cluster-scoped kinds are unchanged.
 *
 * @param client - the client to wrap
 * @param namespace - the namespace
 * @returns the client
 * @throws TypeError if the namespace is empty
 *
 * @example
 * const games = await newNamespacedClient(client, "team-a").list(Game);
 */
export function newNamespacedClient(client: Client, namespace: string): Client {
  if (!namespace) throw new TypeError("newNamespacedClient requires a namespace");
  return new NamespacedClient(client, namespace);
}

class NamespacedClient extends DelegatingClient {
  readonly #namespace: string;

  constructor(inner: Client, namespace: string) {
    super(inner);
    this.#namespace = namespace;
  }

  override get status(): SubResourceWriter {
    const { status } = this.inner;
    return {
      update: async (object, options) => status.update(await this.#object(object), options),
      patch: async (object, patch, options) => status.patch(await this.#object(object), patch, options),
      apply: async (object, options) => status.apply(await this.#object(object), options),
    };
  }

  protected override async getObject<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: ReadOptions,
  ): Promise<Stored<T>> {
    return super.getObject(kind, await this.#within(kind, key), options);
  }

  protected override async listObjects<T extends KubernetesObject>(
    kind: Kind<T>,
    options: ListOptions = {},
  ): Promise<List<T>> {
    return super.listObjects(kind, await this.#within(kind, options));
  }

  protected override async createObject<T extends KubernetesObject>(
    object: T,
    options?: WriteOptions,
  ): Promise<Stored<T>> {
    return this.inner.create(await this.#object(object), options);
  }

  override async update<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>> {
    return this.inner.update(await this.#object(object), options);
  }

  override async patch<T extends KubernetesObject>(object: T, patch: Patch, options?: WriteOptions) {
    return this.inner.patch(await this.#object(object), patch, options);
  }

  protected override async applyObject<T extends KubernetesObject>(
    object: T,
    options: ApplyOptions,
  ): Promise<Stored<T>> {
    return this.inner.apply(await this.#object(object), options);
  }

  override async deleteAllOf<T extends KubernetesObject>(
    kind: Kind<T>,
    options: ListOptions & DeleteOptions = {},
  ): Promise<void> {
    return this.inner.deleteAllOf(kind, await this.#within(kind, options));
  }

  override watch<T extends KubernetesObject>(kind: Kind<T>, options: WatchOptions = {}): AsyncIterable<WatchEvent<T>> {
    return interruptible(options.signal, (signal) => this.#watch(kind, { ...options, signal }));
  }

  async *#watch<T extends KubernetesObject>(
    kind: Kind<T>,
    options: WatchOptions,
  ): AsyncGenerator<WatchEvent<T>, void, undefined> {
    yield* this.inner.watch(kind, await this.#within(kind, options));
  }

  override subResource(name: string): SubResourceClient {
    const inner = this.inner.subResource(name);
    return {
      get: async (object) => inner.get(await this.#object(object)),
      create: async (object, body, options) => inner.create(await this.#object(object), body, options),
      update: async (object, body, options) => inner.update(await this.#object(object), body, options),
      patch: async (object, patch, options) => inner.patch(await this.#object(object), patch, options),
      apply: async (object, body, options) => inner.apply(await this.#object(object), body, options),
      lines: (object, options) =>
        interruptible(options?.signal, (signal) => this.#lines(name, object, { ...options, signal })),
    };
  }

  async *#lines(name: string, object: KubernetesObject, options?: LinesOptions): AsyncGenerator<string> {
    yield* this.inner.subResource(name).lines(await this.#object(object), options);
  }

  protected override async deleteObject(object: KubernetesObject, options?: DeleteOptions): Promise<void> {
    return this.inner.delete(await this.#object(object), options);
  }

  protected override async deleteByKey(kind: Kind, key: ObjectKey, options?: DeleteOptions): Promise<void> {
    return this.inner.delete(kind, await this.#within(kind, key), options);
  }

  /** Returns the object with the namespace. The argument isn't changed. */
  async #object<T extends KubernetesObject>(object: T): Promise<T> {
    const { namespace, name } = object.metadata ?? {};
    const inside = await this.#within(object, { namespace, name });
    if (inside.namespace === namespace) return object;
    return { ...object, metadata: { ...object.metadata, namespace: inside.namespace } };
  }

  async #within<K extends { namespace?: string; name?: string }>(of: Kind | KubernetesObject, key: K): Promise<K> {
    if (key.namespace === this.#namespace || !(await this.inner.isObjectNamespaced(of))) return key;
    if (!key.namespace) return { ...key, namespace: this.#namespace };
    const which = key.name ? `${of.kind} ${key.namespace}/${key.name}` : `${of.kind} in namespace ${key.namespace}`;
    throw new TypeError(`${which}: this client is limited to namespace ${this.#namespace}`);
  }
}
