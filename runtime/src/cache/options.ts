import type { KubernetesObject } from "../api/index.ts";
import { fieldSelector, labelSelector } from "../client/selectors.ts";
import type { Kind } from "../kind.ts";
import type { LabelSelector } from "./label-selector.ts";
import type { InformerScope } from "./scope.ts";

/**
 * Changes an object before it is stored: drop what isn't read. Receives each object once and may change it in place. If it throws, the
 * object is set aside until it changes: the cache keeps its last state, if there is one, and all other objects.
 */
export type Transform<T extends KubernetesObject = KubernetesObject> = (object: T) => T;

/** Equality per field, or a selector in kubectl's syntax. */
export type FieldSelector = Readonly<Record<string, string>> | string;

/** Which objects of a namespace are cached, and how. What is left out comes from the kind, then from the defaults. */
export interface NamespaceOptions {
  /** Only objects with these labels. */
  label?: LabelSelector;
  /** Only objects with these fields; the server must know how to select by them. */
  field?: FieldSelector;
  /** Changes each object before it is stored. */
  transform?: Transform;
}

/** How one kind is cached. What is left out comes from the defaults; an empty value stops that. */
export interface ByObject<T extends KubernetesObject = KubernetesObject> extends NamespaceOptions {
  object: Kind<T>;
  /** Only these namespaces; the key `""` stands for all the others. */
  namespaces?: Readonly<Record<string, NamespaceOptions>>;
  /** Milliseconds between resyncs. */
  syncPeriod?: number;
}

/** What is cached: all objects of what is watched, by default, without `metadata.managedFields`. */
export interface CacheOptions {
  /** Milliseconds between resyncs; ten hours by default. */
  syncPeriod?: number;
  /** Only these namespaces; the key `""` stands for all the others. */
  defaultNamespaces?: Readonly<Record<string, NamespaceOptions>>;
  /** Only objects with these labels, where neither kind nor namespace says otherwise. */
  defaultLabelSelector?: LabelSelector;
  /** Only objects with these fields, where neither kind nor namespace says otherwise. */
  defaultFieldSelector?: FieldSelector;
  /** Changes each object before it is stored, where neither kind nor namespace says otherwise. */
  defaultTransform?: Transform;
  /** What is different for single kinds. */
  byObject?: readonly ByObject[];
  /** `metadata.managedFields` is dropped unless this is set: it is a fifth of most objects, and hardly anybody reads it. */
  keepManagedFields?: boolean;
  /** Told of each list or watch that fails, beside the log: `error` is the server's answer or what became of the connection. */
  defaultWatchErrorHandler?: (kind: Kind, error: unknown) => void;
  /** What a read of a kind without informer does: goes to the server (default), starts an informer, or fails. */
  readsWithoutInformer?: "live" | "start" | "fail";
}

const tenHours = 36_000_000;

/** Everything that the options say of one kind. */
export interface KindSettings {
  scopes(namespaced: boolean): InformerScope[];
  syncPeriod: number;
}

/** Brings the defaults and the entry of a kind together. Throws a `TypeError` for selectors that can't be asked for. */
export function kindSettings(options: CacheOptions, kind: Kind): KindSettings {
  const entry = options.byObject?.find(({ object }) => object.kind === kind.kind && object.group === kind.group);
  const label = entry?.label ?? options.defaultLabelSelector;
  const field = entry?.field ?? options.defaultFieldSelector;
  const transform = (...wanted: readonly (Transform | undefined)[]): Transform | undefined =>
    withoutManagedFields(
      wanted.find((found) => found !== undefined),
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
