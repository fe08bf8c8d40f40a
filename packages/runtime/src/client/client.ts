import type { TokenRequest } from "../api/authentication/v1.ts";
import type { Scale } from "../api/autoscaling/v1.ts";
import type { Binding } from "../api/core/v1.ts";
import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import type { Eviction } from "../api/policy/v1.ts";
import type { ApplyConfiguration, MetadataOnly, NotAKind, ObjectBody } from "./object-types.ts";
import type {
  ApplyOptions,
  DeleteOptions,
  List,
  ListOptions,
  ObjectKey,
  ReadOptions,
  Stored,
  WatchEvent,
  WatchOptions,
  WholeObjects,
  WriteOptions,
} from "./options.ts";
import type { Patch } from "./patch.ts";

export type * from "./options.ts";

/** Reads objects from the API server or from a cache. */
export interface Reader {
  /**
   * Reads an object. Without a literal `metadataOnly: false`, the type of the result has only metadata.
   *
   * @param kind - the kind
   * @param key - namespace and name
   * @param options - see {@link ReadOptions}
   * @returns a private copy
   * @throws ApiError if the server rejects the read; `isNotFound` if the object doesn't exist
   *
   * @example
   * const game = await ignoreNotFound(client.get(Game, { namespace: "default", name: "sample" }));
   */
  get<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: ReadOptions & WholeObjects,
  ): Promise<Stored<T>>;
  /**
   * Reads an object, or only its metadata.
   *
   * @param kind - the kind
   * @param key - namespace and name
   * @param options - see {@link ReadOptions}
   * @returns a private copy, whose type has only metadata
   * @throws ApiError if the server rejects the read; `isNotFound` if the object doesn't exist
   */
  get<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: ReadOptions,
  ): Promise<Stored<MetadataOnly<T>>>;
  /**
   * Lists objects that match `options`. Without a literal `metadataOnly: false`, the type of the items has only
   * metadata.
   *
   * @param kind - the kind
   * @param options - see {@link ListOptions}
   * @returns private copies, in unspecified order
   * @throws ApiError if the server rejects the read
   *
   * @example
   * const { items } = await client.list(Pod, { namespace: "default", labels: { app: "web" } });
   */
  list<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions & WholeObjects): Promise<List<T>>;
  /**
   * Lists objects, or only their metadata.
   *
   * @param kind - the kind
   * @param options - see {@link ListOptions}
   * @returns private copies, whose type has only metadata, in unspecified order
   * @throws ApiError if the server rejects the read
   */
  list<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions): Promise<List<MetadataOnly<T>>>;
}

/**
 * Writes only the status of objects. Arguments are never changed. The methods reject like those of {@link Client}, and
 * with a 404 that names the reason for kinds without a status subresource.
 */
export interface SubResourceWriter {
  /**
   * Replaces the status of an object.
   *
   * @param object - the object with the desired status
   * @param options - see {@link WriteOptions}
   * @returns the stored object
   * @throws ApiError if the server rejects the write; `isConflict` if the object was changed since it was read
   */
  update<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>>;
  /**
   * Patches the status of an object.
   *
   * @param object - the object with the desired status
   * @param patch - {@link mergeFrom}, {@link jsonPatch} or {@link rawPatch}
   * @param options - see {@link WriteOptions}
   * @returns the stored object
   * @throws ApiError if the server rejects the write
   */
  patch<T extends KubernetesObject>(object: T, patch: Patch, options?: WriteOptions): Promise<Stored<T>>;
  /**
   * Applies the status of an object: sets the given fields of the status and owns them.
   *
   * @param object - the identity of the object and the fields to apply
   * @param options - see {@link ApplyOptions}
   * @returns the stored object
   * @throws ApiError if the server rejects the write; `isConflict` if another owner has set a field to another value
   */
  apply<T extends KubernetesObject = never>(object: ApplyConfiguration<T>, options: ApplyOptions): Promise<Stored<T>>;
  /**
   * Applies the status of an object whose type isn't an {@link ApplyConfiguration}.
   *
   * @param object - the identity of the object and the fields to apply
   * @param options - see {@link ApplyOptions}
   * @returns the stored object
   * @throws ApiError if the server rejects the write; `isConflict` if another owner has set a field to another value
   */
  apply<T extends KubernetesObject>(object: T, options: ApplyOptions): Promise<Stored<T>>;
}

/** Options of reads from a subresource that returns text. */
export interface LinesOptions {
  /**
   * Query parameters of the subresource.
   *
   * @defaultValue none
   */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Ends the read. */
  signal?: AbortSignal;
}

/**
 * The type of a request body for a subresource of type `B`. For well-known subresources, it must match the type of the
 * response, `R`.
 */
export type BodyOf<B, R> = keyof B extends keyof KubernetesObject ? R : NoInfer<R>;

/**
 * Reads and writes a subresource of any object. `B` is its type. The argument `object` selects the parent by
 * apiVersion, kind, namespace and name. All methods reject with `ApiError`.
 */
export interface SubResourceClient<B extends KubernetesObject = KubernetesObject> {
  /**
   * Reads the subresource.
   *
   * @param object - the parent object
   * @returns the content of the subresource
   * @throws ApiError if the server rejects the read
   */
  get<R extends KubernetesObject = B>(object: KubernetesObject): Promise<R>;
  /**
   * Creates the subresource: for example a token, an eviction or a binding.
   *
   * @param object - the parent object
   * @param body - the content to send
   * @param options - see {@link WriteOptions}
   * @returns the server's response
   * @throws ApiError if the server rejects the write
   */
  create<R extends KubernetesObject = B>(
    object: KubernetesObject,
    body: BodyOf<B, R>,
    options?: WriteOptions,
  ): Promise<R>;
  /**
   * Replaces the content of the subresource.
   *
   * @param object - the parent object
   * @param body - the content to send; without it, the object itself is sent, as `status` requires
   * @param options - see {@link WriteOptions}
   * @returns the server's response
   * @throws ApiError if the server rejects the write
   */
  update<R extends KubernetesObject = B>(
    object: KubernetesObject,
    body?: BodyOf<B, R>,
    options?: WriteOptions,
  ): Promise<R>;
  /**
   * Patches the content of the subresource.
   *
   * @param object - the parent object
   * @param patch - {@link mergeFrom}, {@link jsonPatch} or {@link rawPatch}
   * @param options - see {@link WriteOptions}
   * @returns the server's response
   * @throws ApiError if the server rejects the write
   */
  patch<R extends KubernetesObject = B>(object: KubernetesObject, patch: Patch, options?: WriteOptions): Promise<R>;
  /**
   * Applies the content of the subresource with server-side apply.
   *
   * @param object - the parent object
   * @param body - the fields to apply
   * @param options - see {@link ApplyOptions}
   * @returns the server's response
   * @throws ApiError if the server rejects the write
   */
  apply<R extends KubernetesObject = B>(
    object: KubernetesObject,
    body: BodyOf<B, R>,
    options: ApplyOptions,
  ): Promise<R>;
  /**
   * Reads a subresource that returns text, line by line as it arrives. It ends without an error when the signal aborts.
   *
   * @param object - the parent object
   * @param options - see {@link LinesOptions}
   * @returns the lines
   * @throws ApiError if the server rejects the read
   */
  lines(object: KubernetesObject, options?: LinesOptions): AsyncIterable<string>;
}

/** Types of the well-known subresources. */
export interface SubResources {
  /** Number of replicas. */
  scale: Scale;
  /** Eviction of a Pod. */
  eviction: Eviction;
  /** Token of a ServiceAccount. */
  token: TokenRequest;
  /** Binding of a Pod to a node. */
  binding: Binding;
}

/**
 * Reads and writes objects of any kind. Writes return the stored object and never change their argument.
 *
 * All methods reject with `ApiError` if the server refuses the request (`isConflict`, `isForbidden` and others identify
 * the reason), `TransportError` if it doesn't respond, `NoMatchError` if it doesn't serve the kind, and `TypeError` for
 * an object without apiVersion, kind, name or namespace.
 *
 * @example
 * const game = await client.get(Game, { namespace: "default", name: "sample" });
 * game.spec.replicas = 2;
 * await client.update(game);
 */
export interface Client extends Reader {
  /**
   * Creates an object that contains its `apiVersion` and `kind`.
   *
   * @param object - the object
   * @param options - see {@link WriteOptions}
   * @returns the stored object
   * @throws ApiError if the server refuses the object; `isAlreadyExists` if one with this name exists
   */
  create<T extends KubernetesObject>(object: T & NotAKind, options?: WriteOptions): Promise<Stored<T>>;
  /**
   * Creates an object of the given kind. The compiler rejects fields that the kind doesn't have.
   *
   * @param kind - sets `apiVersion` and `kind` of the object
   * @param body - the rest of the object; with `metadata.generateName`, the server completes the name
   * @param options - see {@link WriteOptions}
   * @returns the stored object
   * @throws ApiError if the server refuses the object; `isAlreadyExists` if one with this name exists
   * @throws TypeError if the body has the apiVersion or kind of another kind
   *
   * @example
   * await client.create(ConfigMap, { metadata: { name: "sample", namespace: "default" }, data: { port: "80" } });
   */
  create<T extends KubernetesObject>(
    kind: Kind<T>,
    body: NoInfer<ObjectBody<T>>,
    options?: WriteOptions,
  ): Promise<Stored<T>>;
  /**
   * Replaces an object, except its status if the kind has a status subresource.
   *
   * @param object - the complete object with the resource version that was read
   * @param options - see {@link WriteOptions}
   * @returns the stored object
   * @throws ApiError if the server refuses the object; `isConflict` if it was changed since it was read: read it again
   * and retry
   */
  update<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>>;
  /**
   * Patches an object.
   *
   * @param object - the object; {@link mergeFrom} compares it with its earlier state
   * @param patch - {@link mergeFrom}, {@link jsonPatch} or {@link rawPatch}
   * @param options - see {@link WriteOptions}
   * @returns the stored object
   * @throws ApiError if the server refuses the patch
   */
  patch<T extends KubernetesObject>(object: T, patch: Patch, options?: WriteOptions): Promise<Stored<T>>;
  /**
   * Applies an object with server-side apply: creates it, or sets the given fields, and owns them. Fields that the
   * owner applied before and omits now are removed.
   *
   * @param object - the identity of the object and the fields to apply
   * @param options - see {@link ApplyOptions}
   * @returns the stored object, with the fields of all owners
   * @throws ApiError if the server refuses the object; `isConflict` if another owner has set one of the fields to
   * another value and `force` isn't set
   */
  apply<T extends KubernetesObject = never>(object: ApplyConfiguration<T>, options: ApplyOptions): Promise<Stored<T>>;
  /**
   * Applies an object whose type isn't an {@link ApplyConfiguration}.
   *
   * @param object - the identity of the object and the fields to apply
   * @param options - see {@link ApplyOptions}
   * @returns the stored object, with the fields of all owners
   * @throws ApiError if the server refuses the object; `isConflict` if another owner has set one of the fields to
   * another value and `force` isn't set
   */
  apply<T extends KubernetesObject>(object: T, options: ApplyOptions): Promise<Stored<T>>;
  /**
   * Deletes an object, or marks it for deletion if it has finalizers.
   *
   * @param object - the object
   * @param options - see {@link DeleteOptions}
   * @throws ApiError if the server refuses the deletion; `isNotFound` if the object doesn't exist
   */
  delete(object: KubernetesObject, options?: DeleteOptions): Promise<void>;
  /**
   * Deletes an object by its kind and name.
   *
   * @param kind - the kind
   * @param key - namespace and name
   * @param options - see {@link DeleteOptions}
   * @throws ApiError if the server refuses the deletion; `isNotFound` if the object doesn't exist
   */
  delete<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  /**
   * Deletes all objects of a kind that match `options`. Namespaced kinds require a namespace.
   *
   * @param kind - the kind
   * @param options - see {@link ListOptions} and {@link DeleteOptions}
   * @throws ApiError if the server refuses the deletion
   */
  deleteAllOf<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions & DeleteOptions): Promise<void>;
  /**
   * Watches the objects of a kind. The iteration ends when the server ends the watch, and without an error when the
   * signal aborts.
   *
   * @param kind - the kind
   * @param options - see {@link WatchOptions}
   * @returns the changes, as they arrive
   * @throws ApiError if the server refuses the watch; `isGone` if the resource version is too old
   *
   * @example
   * for await (const { type, object } of client.watch(Pod, { namespace: "default", signal })) console.log(type, object.metadata.name);
   */
  watch<T extends KubernetesObject>(kind: Kind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  /** Writes the status of objects, which `update` doesn't change if the kind has a status subresource. */
  readonly status: SubResourceWriter;
  /**
   * Returns a client of a well-known subresource: `scale`, `eviction`, `token` or `binding`.
   *
   * @param name - the subresource
   * @returns its client
   *
   * @example
   * const scale = await client.subResource("scale").get(deployment);
   */
  subResource<N extends keyof SubResources>(name: N): SubResourceClient<SubResources[N]>;
  /**
   * Returns a client of any other subresource.
   *
   * @param name - the subresource, as in the URL
   * @returns its client
   */
  subResource(name: string): SubResourceClient;
  /**
   * Returns whether objects of a kind have a namespace.
   *
   * @param of - the kind, or an object of it
   * @returns whether the kind is namespaced
   * @throws NoMatchError if the server doesn't serve the kind
   */
  isObjectNamespaced(of: Kind | KubernetesObject): Promise<boolean>;
}
