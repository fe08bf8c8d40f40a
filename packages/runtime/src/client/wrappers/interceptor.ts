import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../api/kind.ts";
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
  WriteOptions,
} from "../client.ts";
import type { Patch } from "../patch.ts";
import { DelegatingClient } from "./delegate.ts";

/**
 * Functions that replace methods of a client. Their first argument is the wrapped client. Methods without a function
 * are unchanged.
 */
export interface InterceptorFuncs {
  /**
   * Replaces {@link Client.get}.
   *
   * @param client - the wrapped client
   * @param kind - the kind
   * @param key - namespace and name
   * @param options - options of the call
   * @returns the object
   */
  get?(client: Client, kind: Kind, key: ObjectKey, options?: ReadOptions): Promise<Stored<KubernetesObject>>;
  /**
   * Replaces {@link Client.list}.
   *
   * @param client - the wrapped client
   * @param kind - the kind
   * @param options - options of the call
   * @returns the list
   */
  list?(client: Client, kind: Kind, options?: ListOptions): Promise<List<KubernetesObject>>;
  /**
   * Replaces {@link Client.watch}.
   *
   * @param client - the wrapped client
   * @param kind - the kind
   * @param options - options of the call
   * @returns the changes
   */
  watch?(client: Client, kind: Kind, options?: WatchOptions): AsyncIterable<WatchEvent<KubernetesObject>>;
  /**
   * Replaces {@link Client.create}.
   *
   * @param client - the wrapped client
   * @param object - the object
   * @param options - options of the call
   * @returns the stored object
   */
  create?(client: Client, object: KubernetesObject, options?: WriteOptions): Promise<Stored<KubernetesObject>>;
  /**
   * Replaces {@link Client.update}.
   *
   * @param client - the wrapped client
   * @param object - the object
   * @param options - options of the call
   * @returns the stored object
   */
  update?(client: Client, object: KubernetesObject, options?: WriteOptions): Promise<Stored<KubernetesObject>>;
  /**
   * Replaces {@link Client.patch}.
   *
   * @param client - the wrapped client
   * @param object - the object
   * @param patch - the patch
   * @param options - options of the call
   * @returns the stored object
   */
  patch?(
    client: Client,
    object: KubernetesObject,
    patch: Patch,
    options?: WriteOptions,
  ): Promise<Stored<KubernetesObject>>;
  /**
   * Replaces {@link Client.apply}.
   *
   * @param client - the wrapped client
   * @param object - the object
   * @param options - options of the call
   * @returns the stored object
   */
  apply?(client: Client, object: KubernetesObject, options: ApplyOptions): Promise<Stored<KubernetesObject>>;
  /**
   * Replaces {@link Client.delete}. For `delete(Kind, key)`, the object contains only its identity.
   *
   * @param client - the wrapped client
   * @param object - the object
   * @param options - options of the call
   */
  delete?(client: Client, object: KubernetesObject, options?: DeleteOptions): Promise<void>;
  /**
   * Replaces {@link Client.deleteAllOf}.
   *
   * @param client - the wrapped client
   * @param kind - the kind
   * @param options - options of the call
   */
  deleteAllOf?(client: Client, kind: Kind, options?: ListOptions & DeleteOptions): Promise<void>;
  /**
   * Replaces {@link SubResourceClient.get}.
   *
   * @param client - the wrapped client
   * @param subResource - name of the subresource, such as `status`
   * @param object - the object
   * @returns the subresource
   */
  subResourceGet?(client: Client, subResource: string, object: KubernetesObject): Promise<KubernetesObject>;
  /**
   * Replaces {@link SubResourceClient.create}.
   *
   * @param client - the wrapped client
   * @param subResource - name of the subresource, such as `status`
   * @param object - the object
   * @param body - the body of the request
   * @param options - options of the call
   * @returns the stored object
   */
  subResourceCreate?(
    client: Client,
    subResource: string,
    object: KubernetesObject,
    body: KubernetesObject,
    options?: WriteOptions,
  ): Promise<KubernetesObject>;
  /**
   * Replaces {@link SubResourceClient.update} and `client.status.update`, whose subresource is `status` and whose body
   * is the object.
   *
   * @param client - the wrapped client
   * @param subResource - name of the subresource, such as `status`
   * @param object - the object
   * @param body - the body of the request
   * @param options - options of the call
   * @returns the stored object
   */
  subResourceUpdate?(
    client: Client,
    subResource: string,
    object: KubernetesObject,
    body: KubernetesObject,
    options?: WriteOptions,
  ): Promise<KubernetesObject>;
  /**
   * Replaces {@link SubResourceClient.patch} and `client.status.patch`.
   *
   * @param client - the wrapped client
   * @param subResource - name of the subresource, such as `status`
   * @param object - the object
   * @param patch - the patch
   * @param options - options of the call
   * @returns the stored object
   */
  subResourcePatch?(
    client: Client,
    subResource: string,
    object: KubernetesObject,
    patch: Patch,
    options?: WriteOptions,
  ): Promise<KubernetesObject>;
  /**
   * Replaces {@link SubResourceClient.apply} and `client.status.apply`.
   *
   * @param client - the wrapped client
   * @param subResource - name of the subresource, such as `status`
   * @param object - the object
   * @param options - options of the call
   * @returns the stored object
   */
  subResourceApply?(
    client: Client,
    subResource: string,
    object: KubernetesObject,
    options: ApplyOptions,
  ): Promise<KubernetesObject>;
}

/** Creates intercepted clients, like controller-runtime's package of the same name. */
export interface Interceptor {
  /**
   * Creates a client that calls the given functions.
   *
   * @param client - the client to wrap
   * @param funcs - the functions
   * @returns the client
   */
  newClient(client: Client, funcs: InterceptorFuncs): Client;
}

/**
 * Wraps a client with functions, for example to let writes fail in a test.
 *
 * @example
 * const client = interceptor.newClient(fakeClient({ objects: [game] }), {
 *   update: () => Promise.reject(ApiError.conflict("Game", "sample", "the object has been modified")),
 * });
 */
export const interceptor: Interceptor = Object.freeze({
  newClient: (client: Client, funcs: InterceptorFuncs): Client => new InterceptedClient(client, funcs),
});

class InterceptedClient extends DelegatingClient {
  readonly #funcs: InterceptorFuncs;

  constructor(inner: Client, funcs: InterceptorFuncs) {
    super(inner);
    this.#funcs = funcs;
  }

  override get status(): SubResourceWriter {
    const { inner } = this;
    const funcs = this.#funcs;
    return {
      update: async (object, options) =>
        funcs.subResourceUpdate
          ? as(await funcs.subResourceUpdate(inner, "status", object, object, options))
          : inner.status.update(object, options),
      patch: async (object, patch, options) =>
        funcs.subResourcePatch
          ? as(await funcs.subResourcePatch(inner, "status", object, patch, options))
          : inner.status.patch(object, patch, options),
      apply: async (object: KubernetesObject, options: ApplyOptions) =>
        funcs.subResourceApply
          ? as(await funcs.subResourceApply(inner, "status", object, options))
          : inner.status.apply(object, options),
    };
  }

  protected override async getObject<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: ReadOptions,
  ): Promise<Stored<T>> {
    const { get } = this.#funcs;
    return get ? as(await get(this.inner, erased(kind), key, options)) : super.getObject(kind, key, options);
  }

  protected override async listObjects<T extends KubernetesObject>(
    kind: Kind<T>,
    options?: ListOptions,
  ): Promise<List<T>> {
    const { list } = this.#funcs;
    return list ? as(await list(this.inner, erased(kind), options)) : super.listObjects(kind, options);
  }

  override watch<T extends KubernetesObject>(kind: Kind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>> {
    const { watch } = this.#funcs;
    if (!watch) return this.inner.watch(kind, options);
    return as<AsyncIterable<WatchEvent<T>>>(watch(this.inner, erased(kind), options));
  }

  protected override async createObject<T extends KubernetesObject>(
    object: T,
    options?: WriteOptions,
  ): Promise<Stored<T>> {
    const { create } = this.#funcs;
    return create ? as(await create(this.inner, object, options)) : this.inner.create(object, options);
  }

  override async update<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>> {
    const { update } = this.#funcs;
    return update ? as(await update(this.inner, object, options)) : this.inner.update(object, options);
  }

  override async patch<T extends KubernetesObject>(object: T, change: Patch, options?: WriteOptions) {
    const { patch } = this.#funcs;
    return patch
      ? as<Stored<T>>(await patch(this.inner, object, change, options))
      : this.inner.patch(object, change, options);
  }

  protected override async applyObject<T extends KubernetesObject>(
    object: T,
    options: ApplyOptions,
  ): Promise<Stored<T>> {
    const { apply } = this.#funcs;
    return apply ? as(await apply(this.inner, object, options)) : this.inner.apply(object, options);
  }

  override async deleteAllOf<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions & DeleteOptions) {
    const { deleteAllOf } = this.#funcs;
    return deleteAllOf ? deleteAllOf(this.inner, erased(kind), options) : this.inner.deleteAllOf(kind, options);
  }

  override subResource(name: string): SubResourceClient {
    const { inner } = this;
    const sub = inner.subResource(name);
    const { subResourceGet, subResourceCreate, subResourceUpdate, subResourcePatch, subResourceApply } = this.#funcs;
    return {
      get: async (object) => (subResourceGet ? as(await subResourceGet(inner, name, object)) : sub.get(object)),
      create: async (object, body, options) =>
        subResourceCreate
          ? as(await subResourceCreate(inner, name, object, body, options))
          : sub.create(object, body, options),
      update: async (object, body, options) =>
        subResourceUpdate
          ? as(await subResourceUpdate(inner, name, object, body ?? object, options))
          : sub.update(object, body, options),
      patch: async (object, patch, options) =>
        subResourcePatch
          ? as(await subResourcePatch(inner, name, object, patch, options))
          : sub.patch(object, patch, options),
      apply: async (object, body, options) =>
        subResourceApply ? as(await subResourceApply(inner, name, body, options)) : sub.apply(object, body, options),
      lines: (object, options) => sub.lines(object, options),
    };
  }

  protected override async deleteObject(object: KubernetesObject, options?: DeleteOptions): Promise<void> {
    const intercepted = this.#funcs.delete;
    return intercepted ? intercepted(this.inner, object, options) : super.deleteObject(object, options);
  }

  protected override async deleteByKey(kind: Kind, key: ObjectKey, options?: DeleteOptions): Promise<void> {
    const intercepted = this.#funcs.delete;
    if (!intercepted) return super.deleteByKey(kind, key, options);
    return intercepted(this.inner, { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { ...key } }, options);
  }
}

// The functions are untyped; the caller determines the type.
function as<R>(answer: unknown): R {
  return answer as R;
}

function erased<T extends KubernetesObject>(kind: Kind<T>): Kind {
  return kind as Kind;
}
