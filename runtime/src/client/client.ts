import type { TokenRequest } from "../api/authentication/v1.ts";
import type { Scale } from "../api/autoscaling/v1.ts";
import type { Binding } from "../api/core/v1.ts";
import type { KubernetesObject, ListMeta, ObjectMeta } from "../api/index.ts";
import type { Eviction } from "../api/policy/v1.ts";
import type { Kind } from "../kind.ts";
import type { ApplyConfiguration, MetadataOnly, ObjectBody } from "./object-types.ts";
import type { Patch } from "./patch.ts";

/** A stored object, as reads and writes return it: the server has set its name, uid and resource version. */
export type Stored<T extends KubernetesObject> = T & {
  metadata: ObjectMeta & { name: string; uid: string; resourceVersion: string };
};

/** Namespace and name of an object; cluster-scoped objects have no namespace. */
export interface ObjectKey {
  namespace?: string;
  name: string;
}

/** How one object or a list is read. */
export interface ReadOptions {
  /** Frozen objects of the cache, without a copy. Ignored by live reads. */
  shared?: boolean;
  /** Only `apiVersion`, `kind` and `metadata`: all that big objects are sent and kept for where nothing else is needed. */
  metadataOnly?: boolean;
  signal?: AbortSignal;
}

/** Options of a read that returns whole objects. */
export type WholeObjects = { metadataOnly?: false };

/** Which objects of a kind are meant; all that there are by default. */
export interface ListOptions extends ReadOptions {
  /** All namespaces by default; nothing for cluster-scoped kinds. */
  namespace?: string;
  /** Equality per label, or a whole selector in kubectl's syntax. */
  labels?: Readonly<Record<string, string>> | string;
  /** Equality per field; the leading dot is optional. */
  fields?: Readonly<Record<string, string>>;
  /** The most objects to give at once; all by default. */
  limit?: number;
  /** Goes on behind a list that was cut: its `metadata.continue`. Reads from a cache refuse it. */
  continue?: string;
  /** Not older than this version; `"0"` for what the server has in memory. The newest by default; ignored by caches. */
  resourceVersion?: string;
}

/** Objects of one kind; `metadata.continue` where there are more than `limit`. */
export interface List<T extends KubernetesObject> {
  items: Stored<T>[];
  metadata: ListMeta;
}

/** How a server is asked to write. */
export interface WriteOptions {
  /** Whose fields these are in `metadata.managedFields`; the server names them after the user agent by default. */
  fieldOwner?: string;
  /** The server checks and answers, and stores nothing. */
  dryRun?: boolean;
  /** What the server does about unknown and duplicate fields: drop them (`Ignore`), with a warning (`Warn`, its default), or refuse them. */
  fieldValidation?: "Ignore" | "Warn" | "Strict";
  signal?: AbortSignal;
}

/** How an object is applied. */
export interface ApplyOptions extends WriteOptions {
  /** Owns what is applied: fields that it leaves out the next time are removed. */
  fieldOwner: string;
  /** Takes fields from other owners; without it they are a conflict. */
  force?: boolean;
}

/** How objects are deleted. */
export interface DeleteOptions {
  /** Seconds that the object may take to end, 0 for at once; its kind's own time by default. */
  gracePeriodSeconds?: number;
  /** What becomes of the objects that it owns: they stay, go afterwards, or go before it. */
  propagationPolicy?: "Orphan" | "Background" | "Foreground";
  /** A conflict unless the object has this uid and version. */
  preconditions?: { uid?: string; resourceVersion?: string };
  /** The server checks and answers, and deletes nothing. */
  dryRun?: boolean;
  signal?: AbortSignal;
}

/** Which changes are watched; those of all objects of the kind by default. */
export interface WatchOptions {
  /** All namespaces by default; nothing for cluster-scoped kinds. */
  namespace?: string;
  /** Equality per label, or a whole selector in kubectl's syntax. */
  labels?: Readonly<Record<string, string>> | string;
  /** Equality per field; the leading dot is optional. */
  fields?: Readonly<Record<string, string>>;
  /** What came after this version of a list; without it, what there is comes first as `ADDED`. */
  resourceVersion?: string;
  /** Bookmarks are handed out too when asked for. */
  allowWatchBookmarks?: boolean;
  signal?: AbortSignal;
}

/** A change. `DELETED` has the last state; `BOOKMARK` has nothing but the version up to which all was sent. */
export interface WatchEvent<T extends KubernetesObject> {
  type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  object: Stored<T>;
}

/** Reads objects: live, or from a cache. */
export interface Reader {
  /** One object, as a private copy. Rejects with `ApiError`; `isNotFound` tells the common case. */
  get<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: ReadOptions & WholeObjects,
  ): Promise<Stored<T>>;
  /** As above. Without a literal `metadataOnly: false`, the result has only the type of metadata. */
  get<T extends KubernetesObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: ReadOptions,
  ): Promise<Stored<MetadataOnly<T>>>;
  /** All objects that the options mean, as private copies, in no promised order. Rejects with `ApiError`. */
  list<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions & WholeObjects): Promise<List<T>>;
  /** As above. Without a literal `metadataOnly: false`, the items have only the type of metadata. */
  list<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions): Promise<List<MetadataOnly<T>>>;
}

/**
 * Writes the status of objects, and nothing else of them. Writes give the stored object; the argument is never changed. All reject
 * with `ApiError` as the methods of {@link Client} do; a kind without status subresource is a 404 that says so.
 */
export interface SubResourceWriter {
  /** Replaces the status; `isConflict` where somebody else has changed the object since it was read. */
  update<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>>;
  /** Changes the status as the patch says. */
  patch<T extends KubernetesObject>(object: T, patch: Patch, options?: WriteOptions): Promise<Stored<T>>;
  /** Applies the status: sets the given fields of it and owns them. Rejects as `Client.apply` does. */
  apply<T extends KubernetesObject = never>(object: ApplyConfiguration<T>, options: ApplyOptions): Promise<Stored<T>>;
  /** As above, for an object whose type isn't an {@link ApplyConfiguration}. */
  apply<T extends KubernetesObject>(object: T, options: ApplyOptions): Promise<Stored<T>>;
}

/** What is asked of a subresource that sends text. */
export interface LinesOptions {
  /** Parameters of the subresource, by its own names. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  signal?: AbortSignal;
}

/** What is sent to a subresource: where it is known what that holds, the answer is that too, whatever is left out of the body. */
type BodyOf<B, R> = keyof B extends keyof KubernetesObject ? R : NoInfer<R>;

/**
 * A subresource of any object; `B` is what it holds. `object` says whose: its apiVersion, kind, namespace and name count. All
 * reject with `ApiError`, and give what the server answers with.
 */
export interface SubResourceClient<B extends KubernetesObject = KubernetesObject> {
  /** What the subresource holds. */
  get<R extends KubernetesObject = B>(object: KubernetesObject): Promise<R>;
  /** Asks for something to be made or done: a token, an eviction, a binding. */
  create<R extends KubernetesObject = B>(
    object: KubernetesObject,
    body: BodyOf<B, R>,
    options?: WriteOptions,
  ): Promise<R>;
  /** Replaces what the subresource holds. Without a body the object itself is sent, as `status` wants it. */
  update<R extends KubernetesObject = B>(
    object: KubernetesObject,
    body?: BodyOf<B, R>,
    options?: WriteOptions,
  ): Promise<R>;
  /** Changes what the subresource holds as the patch says. */
  patch<R extends KubernetesObject = B>(object: KubernetesObject, patch: Patch, options?: WriteOptions): Promise<R>;
  /** Server-side apply of what the subresource holds. */
  apply<R extends KubernetesObject = B>(
    object: KubernetesObject,
    body: BodyOf<B, R>,
    options: ApplyOptions,
  ): Promise<R>;
  /** What a subresource sends as text, line by line while it comes. Ends quietly when the signal aborts. */
  lines(object: KubernetesObject, options?: LinesOptions): AsyncIterable<string>;
}

/** What the well-known subresources hold. */
export interface SubResources {
  scale: Scale;
  eviction: Eviction;
  token: TokenRequest;
  binding: Binding;
}

/**
 * Reads and writes objects of any kind. Writes give the object as it is stored now; the argument is never changed.
 *
 * All reject with `ApiError` where the server says no (`isConflict`, `isForbidden`, … tell why), `TransportError` where it doesn't
 * answer, `NoMatchError` where it has no such kind, and `TypeError` for an object without apiVersion, kind, name or namespace.
 *
 * @example
 * const game = await client.get(Game, { namespace: "default", name: "sample" });
 * game.spec.replicas = 2;
 * await client.update(game);
 */
export interface Client extends Reader {
  /**
   * Creates an object of the given kind. The compiler refuses fields that the kind doesn't have.
   *
   * @param kind - sets `apiVersion` and `kind` of the object
   * @param body - the rest of the object; with `metadata.generateName`, the server completes the name
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
  /** As above, of an object that has its own `apiVersion` and `kind`. */
  create<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>>;
  /**
   * Replaces all of an object but what a status subresource holds. `isConflict` where somebody else has changed it since it was
   * read: read it again and try again.
   */
  update<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>>;
  /** Changes an object as the patch says: {@link mergeFrom}, {@link jsonPatch} or {@link rawPatch}. */
  patch<T extends KubernetesObject>(object: T, patch: Patch, options?: WriteOptions): Promise<Stored<T>>;
  /**
   * Applies an object on the server: creates it, or sets the given fields, and owns them. Fields that the owner applied before and
   * leaves out now are removed.
   *
   * @returns the stored object, with the fields of all owners
   * @throws ApiError if the server refuses the object; `isConflict` if another owner has set one of the fields to another value and
   * `force` isn't set
   */
  apply<T extends KubernetesObject = never>(object: ApplyConfiguration<T>, options: ApplyOptions): Promise<Stored<T>>;
  /** As above, for an object whose type isn't an {@link ApplyConfiguration}. */
  apply<T extends KubernetesObject>(object: T, options: ApplyOptions): Promise<Stored<T>>;
  /** Deletes an object, or marks it where it has finalizers. `isNotFound` where there is none. */
  delete(object: KubernetesObject, options?: DeleteOptions): Promise<void>;
  /** As above, of an object that nobody has read. */
  delete<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  /** Deletes all objects of a kind that the selectors meet. Kinds that live in namespaces need one: they are deleted there. */
  deleteAllOf<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions & DeleteOptions): Promise<void>;
  /** Changes as they come. Ends when the server ends it, and quietly when the signal aborts; throws `ApiError`, that of a 410 where the version is too old. */
  watch<T extends KubernetesObject>(kind: Kind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  /** Writes the status of objects: `update` leaves it alone where a kind has the subresource. */
  readonly status: SubResourceWriter;
  /** A subresource that is known: `scale`, `eviction`, `token` or `binding`. */
  subResource<N extends keyof SubResources>(name: N): SubResourceClient<SubResources[N]>;
  /** Any other subresource, by its name in the path. */
  subResource(name: string): SubResourceClient;
  /** Whether objects of a kind live in namespaces. Rejects with `NoMatchError` where the server has no such kind. */
  isObjectNamespaced(of: Kind | KubernetesObject): Promise<boolean>;
}
