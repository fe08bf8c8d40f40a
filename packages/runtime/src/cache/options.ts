import type { KubernetesObject } from "../api/index.ts";
import type { Kind } from "../api/kind.ts";
import type { LabelSelector } from "../client/label-selector.ts";
import { fieldSelector, labelSelector } from "../client/selectors.ts";
import type { InformerScope } from "./scope.ts";
import type { ShardUse } from "./shard-keys.ts";

/**
 * Changes an object before it is stored, for example to drop fields that aren't read. It receives each object once and
 * may change it in place. If it throws, the object is set aside until it changes: the cache keeps its last state, if
 * there is one, and all other objects.
 *
 * @param object - the object from the API server
 * @returns the object to store
 */
export type Transform<T extends KubernetesObject = KubernetesObject> = (object: T) => T;

/** Values by field path, or a field selector in kubectl's syntax. */
export type FieldSelector = Readonly<Record<string, string>> | string;

/**
 * Selects and transforms the cached objects of one namespace. Unset options default to those of the kind, then to the
 * general ones.
 */
export interface NamespaceOptions {
  /**
   * Only objects with these labels.
   *
   * @defaultValue that of the kind, then `defaultLabelSelector`
   */
  label?: LabelSelector;
  /**
   * Only objects with these fields, which the server must support.
   *
   * @defaultValue that of the kind, then `defaultFieldSelector`
   */
  field?: FieldSelector;
  /**
   * Changes each object before it is stored.
   *
   * @defaultValue that of the kind, then `defaultTransform`
   */
  transform?: Transform;
}

/**
 * Selects and transforms the cached objects of one kind. Unset options default to the general ones; an empty selector
 * disables the default.
 */
export interface ByObject<T extends KubernetesObject = KubernetesObject> extends NamespaceOptions {
  /** The kind. */
  object: Kind<T>;
  /**
   * Only objects in these namespaces. The key `""` represents all others.
   *
   * @defaultValue `defaultNamespaces`
   */
  namespaces?: Readonly<Record<string, NamespaceOptions>>;
  /**
   * Time in milliseconds between resyncs.
   *
   * @defaultValue `syncPeriod` of the cache
   */
  syncPeriod?: number;
}

/**
 * Selects and transforms the objects in the cache. The default is all objects of watched kinds, without
 * `metadata.managedFields`.
 */
export interface CacheOptions {
  /**
   * Time in milliseconds between resyncs.
   *
   * @defaultValue 36000000 (ten hours)
   */
  syncPeriod?: number;
  /**
   * Only objects in these namespaces. The key `""` represents all others.
   *
   * @defaultValue all namespaces
   */
  defaultNamespaces?: Readonly<Record<string, NamespaceOptions>>;
  /**
   * Only objects with these labels, unless the kind or namespace sets a selector.
   *
   * @defaultValue all objects
   */
  defaultLabelSelector?: LabelSelector;
  /**
   * Only objects with these fields, unless the kind or namespace sets a selector.
   *
   * @defaultValue all objects
   */
  defaultFieldSelector?: FieldSelector;
  /**
   * Changes each object before it is stored, unless the kind or namespace sets a transform.
   *
   * @defaultValue none
   */
  defaultTransform?: Transform;
  /**
   * Options of single kinds.
   *
   * @defaultValue none
   */
  byObject?: readonly ByObject[];
  /**
   * Keeps `metadata.managedFields`, which is a fifth of most objects and rarely read.
   *
   * @defaultValue false
   */
  keepManagedFields?: boolean;
  /**
   * Called for each list or watch that fails, in addition to the log. `error` is the server's response, or the error of
   * the connection.
   *
   * @defaultValue none
   */
  defaultWatchErrorHandler?: (kind: Kind, error: unknown) => void;
  /**
   * How reads of a kind without an informer behave: `live` reads from the API server, `start` starts an informer,
   * `fail` throws an error.
   *
   * @defaultValue "live"
   */
  readsWithoutInformer?: "live" | "start" | "fail";
}

/** Options of {@link InformerCache.inform}. */
export interface InformOptions {
  /**
   * Watches only `metadata`, which saves memory.
   *
   * @defaultValue false
   */
  metadataOnly?: boolean;
  /**
   * Doesn't let the start of the manager wait for the kind, which may not be installed.
   *
   * @defaultValue false
   * @internal
   */
  optional?: boolean;
  /**
   * How the objects of this use are divided, if the manager has shards.
   *
   * @defaultValue each replica has all objects
   * @internal
   */
  shard?: ShardUse;
  /**
   * Keeps which fields this manager has applied.
   *
   * @defaultValue none
   * @internal
   */
  appliedBy?: string;
}

const tenHours = 36_000_000;

/** All options of one kind. */
export interface KindSettings {
  scopes(namespaced: boolean): InformerScope[];
  syncPeriod: number;
}

/** Merges the defaults and the entry of a kind. Throws a `TypeError` for invalid selectors. */
export function kindSettings(options: CacheOptions, kind: Kind): KindSettings {
  const entry = options.byObject?.find(({ object }) => object.kind === kind.kind && object.group === kind.group);
  const label = entry?.label ?? options.defaultLabelSelector;
  const field = entry?.field ?? options.defaultFieldSelector;
  const transform = (...wanted: readonly (Transform | undefined)[]): Transform | undefined =>
    withoutManagedFields(
      wanted.find((setting) => setting !== undefined),
      options.keepManagedFields ?? false,
    );
  const namespaces = entry?.namespaces ?? options.defaultNamespaces ?? {};

  function scope(namespace: string, others: readonly string[]): InformerScope {
    const own = entry?.namespaces?.[namespace];
    const shared = options.defaultNamespaces?.[namespace];
    const labels = labelSelector(own?.label ?? entry?.label ?? shared?.label ?? options.defaultLabelSelector);
    const fields = fieldSelector(own?.field ?? entry?.field ?? shared?.field ?? options.defaultFieldSelector);
    const changed = transform(own?.transform, entry?.transform, shared?.transform, options.defaultTransform);
    if (namespace !== "") return { namespace, labels, fields, transform: changed };
    const excluded = others.map((other) => `metadata.namespace!=${other}`);
    const all = [fields, ...excluded].filter(Boolean).join(",");
    return { labels, fields: all === "" ? undefined : all, except: others, transform: changed };
  }

  const names = Object.keys(namespaces);
  const byNamespace = names.map((name) => scope(name, name === "" ? names.filter((other) => other !== "") : []));
  const whole: InformerScope = {
    labels: labelSelector(label),
    fields: fieldSelector(field),
    transform: transform(entry?.transform, options.defaultTransform),
  };
  return {
    scopes: (namespaced) => (namespaced && byNamespace.length > 0 ? byNamespace : [whole]),
    syncPeriod: entry?.syncPeriod ?? options.syncPeriod ?? tenHours,
  };
}

function withoutManagedFields(transform: Transform | undefined, keep: boolean): Transform | undefined {
  if (keep) return transform;
  return (object) => {
    if (object.metadata?.managedFields) delete object.metadata.managedFields;
    return transform ? transform(object) : object;
  };
}
