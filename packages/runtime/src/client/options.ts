import type { KubernetesObject, ListMeta, ObjectMeta } from "../api/index.ts";

/** An object as stored by the API server, which has set its name, uid and resource version. Returned by reads and writes. */
export type Stored<T extends KubernetesObject> = T & {
  metadata: ObjectMeta & { name: string; uid: string; resourceVersion: string };
};

/** Namespace and name of an object. */
export interface ObjectKey {
  /** Namespace. Unset for cluster-scoped objects. */
  namespace?: string | undefined;
  /** Name. */
  name: string;
}

/** Options of reads. */
export interface ReadOptions {
  /**
   * Returns frozen objects of the cache without a copy. Ignored by reads from the API server.
   *
   * @defaultValue false
   */
  shared?: boolean;
  /**
   * Returns only `apiVersion`, `kind` and `metadata`, which saves traffic and memory for big objects.
   *
   * @defaultValue false
   */
  metadataOnly?: boolean;
  /**
   * Reads what the watch has delivered, without newer writes of this process. Ignored by reads from the API server.
   *
   * @defaultValue false
   */
  disableReadYourWritesConsistency?: boolean;
  /** Aborts the read. */
  signal?: AbortSignal;
}

/** Options of a read that returns whole objects. */
export type WholeObjects = {
  /**
   * Returns all fields.
   *
   * @defaultValue false
   */
  metadataOnly?: false;
};

/** Selects objects of a kind. The default is all of them. */
export interface ListOptions extends ReadOptions {
  /**
   * Namespace to list. Ignored for cluster-scoped kinds.
   *
   * @defaultValue all namespaces
   */
  namespace?: string;
  /**
   * Labels that objects must have: values by name, or a label selector in kubectl's syntax.
   *
   * @defaultValue all objects
   */
  labels?: Readonly<Record<string, string>> | string;
  /**
   * Fields that objects must have: values by path. The leading dot of a path is optional.
   *
   * @defaultValue all objects
   */
  fields?: Readonly<Record<string, string>>;
  /**
   * Maximum number of objects to return. Set `continue` to read the next ones.
   *
   * @defaultValue all
   */
  limit?: number;
  /**
   * Continues a limited list: its `metadata.continue`. Reads from a cache reject it.
   *
   * @defaultValue from the start
   */
  continue?: string;
  /**
   * Lists only the objects of this process's shards, from the cache. Without sharding, these are all objects.
   *
   * @defaultValue false
   */
  sharded?: boolean;
  /**
   * Minimum resource version of the list; `"0"` accepts any version in the server's memory. Ignored by caches.
   *
   * @defaultValue the most recent version
   */
  resourceVersion?: string;
}

/** Objects of one kind. */
export interface List<T extends KubernetesObject> {
  /** The objects. */
  items: Stored<T>[];
  /** Metadata of the list. `continue` is set if there are more objects than `limit`. */
  metadata: ListMeta;
}

/** Options of writes. */
export interface WriteOptions {
  /**
   * Owner of the written fields in `metadata.managedFields`.
   *
   * @defaultValue derived by the server from the user agent
   */
  fieldOwner?: string;
  /**
   * Validates the request and returns the result without storing it.
   *
   * @defaultValue false
   */
  dryRun?: boolean;
  /**
   * How the server treats unknown and duplicate fields: drop them (`Ignore`), drop them with a warning (`Warn`), or
   * reject the request (`Strict`).
   *
   * @defaultValue "Warn"
   */
  fieldValidation?: "Ignore" | "Warn" | "Strict";
  /** Aborts the write. */
  signal?: AbortSignal;
}

/** Options of server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /** Owner of the applied fields. Fields that it omits in the next apply are removed. */
  fieldOwner: string;
  /**
   * Takes ownership of conflicting fields. Without it, they cause a conflict.
   *
   * @defaultValue false
   */
  force?: boolean;
}

/** Options of deletions. */
export interface DeleteOptions {
  /**
   * Time in seconds that the object has to terminate; 0 deletes it immediately.
   *
   * @defaultValue the grace period of the kind
   */
  gracePeriodSeconds?: number;
  /**
   * Whether objects that it owns are kept, deleted afterwards, or deleted first.
   *
   * @defaultValue the default of the kind, which is usually "Background"
   */
  propagationPolicy?: "Orphan" | "Background" | "Foreground";
  /**
   * Rejects the deletion with a conflict unless the object has this uid and resource version.
   *
   * @defaultValue none
   */
  preconditions?: {
    /** UID that the object must have. */
    uid?: string;
    /** Resource version that the object must have. */
    resourceVersion?: string;
  };
  /**
   * Validates the request without deleting anything.
   *
   * @defaultValue false
   */
  dryRun?: boolean;
  /** Aborts the request. */
  signal?: AbortSignal;
}

/** Selects the changes to watch. The default is those of all objects of the kind. */
export interface WatchOptions {
  /**
   * Namespace to watch. Ignored for cluster-scoped kinds.
   *
   * @defaultValue all namespaces
   */
  namespace?: string;
  /**
   * Labels that objects must have: values by name, or a label selector in kubectl's syntax.
   *
   * @defaultValue all objects
   */
  labels?: Readonly<Record<string, string>> | string;
  /**
   * Fields that objects must have: values by path. The leading dot of a path is optional.
   *
   * @defaultValue all objects
   */
  fields?: Readonly<Record<string, string>>;
  /**
   * Resource version after which changes are returned, as in the metadata of a list.
   *
   * @defaultValue returns the existing objects as `ADDED` first
   */
  resourceVersion?: string;
  /**
   * Also returns bookmarks.
   *
   * @defaultValue false
   */
  allowWatchBookmarks?: boolean;
  /** Ends the watch. */
  signal?: AbortSignal;
}

/** A change of a watched object. */
export interface WatchEvent<T extends KubernetesObject> {
  /** Type of the change. `BOOKMARK` isn't a change: it reports the version up to which all changes were sent. */
  type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  /** The object. For `DELETED` its last state; for `BOOKMARK` only the resource version is set. */
  object: Stored<T>;
}
