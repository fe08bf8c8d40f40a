import type { KubernetesObject, ObjectMeta } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import type { DeepPartial } from "../client/object-types.ts";
import type { Stored } from "../client/options.ts";
import type { StatusHolder } from "../kstatus/set-status.ts";

/** The value of an entry whose children are neither applied nor pruned now, for example because an input can't be read. */
export const keep: unique symbol = Symbol("keep");

/** Stands for any kind in {@link childrenOf}: each child contains its own `apiVersion` and `kind`. */
export interface AnyKind {
  /** Distinguishes it from a kind. */
  readonly anyKind: true;
}
/** Stands for any kind in {@link childrenOf}: `[AnyKind]` is a list of objects with their own `apiVersion` and `kind`. */
export const AnyKind: AnyKind = Object.freeze({ anyKind: true });

/** The entries of {@link childrenOf} by name: a kind for one child, `[Kind]` for a list, `[AnyKind]` for a list of several kinds. */
export type ChildEntries = Readonly<Record<string, Kind | readonly [Kind] | readonly [AnyKind]>>;

/** The metadata of a wanted child. Name and namespace default to those of the owner. */
export type ChildMetadata = Pick<
  ObjectMeta,
  "name" | "namespace" | "labels" | "annotations" | "finalizers" | "ownerReferences"
>;

/** The fields of a child that the operator wants, without `apiVersion`, `kind` and `status`. */
export type WantedChild<T extends KubernetesObject> = {
  /** Labels, annotations, and a name other than that of the owner. */
  metadata?: ChildMetadata;
} & { [F in keyof T as F extends keyof KubernetesObject | "status" ? never : F]?: DeepPartial<T[F]> };

/** A child in a list, which needs a name. */
export type WantedItem<T extends KubernetesObject> = WantedChild<T> & {
  /** The name, and optionally labels, annotations and the namespace. */
  metadata: ChildMetadata & { name: string };
};

/** A child of any kind, which needs a name. */
export interface WantedObject {
  /** API version of the child. */
  apiVersion: string;
  /** Kind of the child. */
  kind: string;
  /** The name, and optionally labels, annotations and the namespace. */
  metadata: ChildMetadata & { name: string };
  /** The wanted fields. */
  [field: string]: unknown;
}

/** The object type of an entry. */
export type EntryObject<V> = V extends readonly [infer K]
  ? K extends Kind<infer T>
    ? T
    : KubernetesObject
  : V extends Kind<infer T>
    ? T
    : KubernetesObject;

/** The wanted value of an entry: for one child its fields, or `undefined` if it isn't wanted; for a list its items. */
export type WantedEntry<V> = V extends readonly [AnyKind]
  ? readonly WantedObject[] | typeof keep
  : V extends readonly [Kind<infer T>]
    ? readonly WantedItem<T>[] | typeof keep
    : V extends Kind<infer T>
      ? WantedChild<T> | undefined | typeof keep
      : never;

/** The wanted values of all entries. Each entry is required. */
export type WantedChildren<E extends ChildEntries> = { [N in keyof E]: WantedEntry<E[N]> };

/** The stored children of all entries: an object or `undefined` for one child, and a list for a list. */
export type StoredChildren<E extends ChildEntries> = {
  readonly [N in keyof E]: E[N] extends readonly [unknown]
    ? readonly Stored<EntryObject<E[N]>>[]
    : Stored<EntryObject<E[N]>> | undefined;
};

/** Options of an entry. */
export interface ChildOptions<T extends KubernetesObject = KubernetesObject, N extends string = string> {
  /**
   * Entries that must be ready before this one is applied.
   *
   * @defaultValue none
   */
  after?: readonly N[];
  /**
   * Returns whether a child is ready.
   *
   * @param object - the child as it is stored
   * @returns whether it is ready
   *
   * @defaultValue the status `Current` of {@link computeStatus}; a Job must also be complete
   */
  ready?(object: Stored<T>): boolean;
  /**
   * Paths of fields that are set at creation and then left to others, such as `spec.replicas`.
   *
   * @defaultValue none
   */
  createOnly?: readonly string[];
  /**
   * Reaction to a change of an immutable field: `fail`, or `recreate`, which deletes the child with its data and creates it again.
   *
   * @defaultValue "fail"
   */
  onImmutable?: "fail" | "recreate";
  /**
   * Which existing objects are taken over: only those of this owner, or also those without a controller.
   *
   * @defaultValue "own"
   */
  adopt?: "own" | "ownerless";
  /**
   * Whether a child that isn't wanted anymore is deleted.
   *
   * @defaultValue true, but false for Namespace, CustomResourceDefinition, PersistentVolume and PersistentVolumeClaim
   */
  prune?: boolean;
  /**
   * Skips the entry while its kind isn't installed.
   *
   * @defaultValue false
   */
  optional?: boolean;
}

/** Options of {@link childrenOf}. */
export interface ChildrenOptions<E extends ChildEntries> {
  /**
   * Field manager of the applies. Two declarations for the same owner need different ones.
   *
   * @defaultValue the kind of the owner in lowercase with `-controller`
   */
  fieldOwner?: string;
  /**
   * Kinds that earlier versions declared. Their children are pruned.
   *
   * @defaultValue none
   */
  former?: readonly Kind[];
  /**
   * How children are deleted with their owner: by the garbage collector, or in reverse order with a finalizer.
   *
   * @defaultValue "background"
   */
  deletion?: "background" | "ordered";
  /**
   * Field managers whose fields the first apply takes over, so that fields that aren't wanted anymore are removed.
   *
   * @defaultValue the default field manager of the client
   */
  migrateFrom?: readonly string[];
  /**
   * Options of single entries, by name.
   *
   * @defaultValue none
   */
  entries?: { readonly [N in keyof E]?: ChildOptions<EntryObject<E[N]>, Exclude<keyof E & string, N>> };
}

/** The action of a reconcile for a child. */
export type ChildAction =
  | "created"
  | "configured"
  | "unchanged"
  | "recreated"
  | "pruned"
  | "kept"
  | "waiting"
  | "skipped"
  | "blocked"
  | "contested"
  | "failed";

/** The result of one child. */
export interface ChildResult {
  /** Name of the entry. */
  readonly child: string;
  /** Kind of the child. */
  readonly kind: string;
  /** Namespace. Empty for cluster-scoped children. */
  readonly namespace: string;
  /** Name. */
  readonly name: string;
  /** The action of the reconcile. */
  readonly action: ChildAction;
  /** Whether the child is ready. */
  readonly ready: boolean;
  /** Why, for people. */
  readonly message?: string;
}

/** The result of {@link Children.reconcile}. */
export interface ReconciledChildren<E extends ChildEntries> {
  /** Whether all wanted children are applied and ready, and no others exist. A running Job doesn't count. */
  readonly ready: boolean;
  /** The stored children, which are frozen: copy one to change it. */
  readonly children: StoredChildren<E>;
  /** One result per child. */
  readonly results: readonly ChildResult[];
  /**
   * Sets the conditions Ready, Reconciling or Stalled and `status.observedGeneration` of a copy of the owner, by the worst child.
   * It changes nothing for an owner that is being deleted. Kinds without conditions don't call it.
   *
   * @param copy - the object to change
   * @returns whether anything changed
   */
  setStatus(copy: StatusHolder): boolean;
  /**
   * Throws if a child has failed, so that the reconcile is retried. Call it after writing the status.
   *
   * @throws AggregateError with the errors of the children. It is terminal if the server has rejected all of them as invalid
   */
  throwIfFailed(): void;
}
