import type { TokenRequest } from "../api/authentication/v1.ts";
import type { Scale } from "../api/autoscaling/v1.ts";
import type { Binding } from "../api/core/v1.ts";
import type { KubernetesObject, ListMeta, ObjectMeta } from "../api/index.ts";
import type { Eviction } from "../api/policy/v1.ts";
import type { Kind } from "../kind.ts";
import type { Patch } from "./patch.ts";

/** What reads and writes give: the server has filled in name, uid and resource version. */
export type Stored<T extends KubernetesObject> = T & {
  metadata: ObjectMeta & { name: string; uid: string; resourceVersion: string };
};

/** Namespace and name of an object; cluster-scoped objects have no namespace. */
export interface ObjectKey {
  namespace?: string;
  name: string;
}

export interface ReadOptions {
  /** Frozen objects of the cache, without a copy. Ignored by live reads. */
  shared?: boolean;
  /** Only `apiVersion`, `kind` and `metadata`: all that big objects are sent and kept for where nothing else is needed. */
  metadataOnly?: boolean;
  signal?: AbortSignal;
}

export interface ListOptions extends ReadOptions {
  namespace?: string;
  /** Equality per label, or a whole selector in kubectl's syntax. */
  labels?: Readonly<Record<string, string>> | string;
  /** Equality per field; the leading dot is optional. */
  fields?: Readonly<Record<string, string>>;
  limit?: number;
  continue?: string;
  resourceVersion?: string;
}

export interface List<T extends KubernetesObject> {
  items: Stored<T>[];
  metadata: ListMeta;
}

export interface WriteOptions {
  fieldOwner?: string;
  dryRun?: boolean;
  fieldValidation?: "Ignore" | "Warn" | "Strict";
  signal?: AbortSignal;
}

export interface ApplyOptions extends WriteOptions {
  fieldOwner: string;
  force?: boolean;
}

export interface DeleteOptions {
  gracePeriodSeconds?: number;
  propagationPolicy?: "Orphan" | "Background" | "Foreground";
  preconditions?: { uid?: string; resourceVersion?: string };
  dryRun?: boolean;
  signal?: AbortSignal;
}

export interface WatchOptions {
  namespace?: string;
  labels?: Readonly<Record<string, string>> | string;
  fields?: Readonly<Record<string, string>>;
  resourceVersion?: string;
  /** Bookmarks are handed out too when asked for. */
  allowWatchBookmarks?: boolean;
  signal?: AbortSignal;
}

export interface WatchEvent<T extends KubernetesObject> {
  type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  object: Stored<T>;
}

export interface Reader {
  /** A private copy. Throws `ApiError`; `isNotFound` tells the common case. */
  get<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey, options?: ReadOptions): Promise<Stored<T>>;
  list<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions): Promise<List<T>>;
}

/** Writes give the stored object; the argument is never changed. */
export interface SubResourceWriter {
  update<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>>;
  patch<T extends KubernetesObject>(object: T, patch: Patch, options?: WriteOptions): Promise<Stored<T>>;
  apply<T extends KubernetesObject>(object: T, options: ApplyOptions): Promise<Stored<T>>;
}

export interface LinesOptions {
  /** Parameters of the subresource, by its own names. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  signal?: AbortSignal;
}

/** What is sent to a subresource: where it is known what that holds, the answer is that too, whatever is left out of the body. */
type BodyOf<B, R> = keyof B extends keyof KubernetesObject ? R : NoInfer<R>;

/** A subresource of any object; `B` is what it holds. */
export interface SubResourceClient<B extends KubernetesObject = KubernetesObject> {
  get<R extends KubernetesObject = B>(object: KubernetesObject): Promise<R>;
  create<R extends KubernetesObject = B>(
    object: KubernetesObject,
    body: BodyOf<B, R>,
    options?: WriteOptions,
  ): Promise<R>;
  update<R extends KubernetesObject = B>(
    object: KubernetesObject,
    body: BodyOf<B, R>,
    options?: WriteOptions,
  ): Promise<R>;
  patch<R extends KubernetesObject = B>(object: KubernetesObject, patch: Patch, options?: WriteOptions): Promise<R>;
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

export interface Client extends Reader {
  create<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>>;
  update<T extends KubernetesObject>(object: T, options?: WriteOptions): Promise<Stored<T>>;
  patch<T extends KubernetesObject>(object: T, patch: Patch, options?: WriteOptions): Promise<Stored<T>>;
  apply<T extends KubernetesObject>(object: T, options: ApplyOptions): Promise<Stored<T>>;
  delete(object: KubernetesObject, options?: DeleteOptions): Promise<void>;
  delete<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  deleteAllOf<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions & DeleteOptions): Promise<void>;
  /** Ends quietly when the signal aborts; throws the `ApiError` of a 410. */
  watch<T extends KubernetesObject>(kind: Kind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  readonly status: SubResourceWriter;
  subResource<N extends keyof SubResources>(name: N): SubResourceClient<SubResources[N]>;
  subResource(name: string): SubResourceClient;
  /** Whether objects of a kind live in namespaces. Rejects with `NoMatchError` where the server has no such kind. */
  isObjectNamespaced(of: Kind | KubernetesObject): Promise<boolean>;
}
