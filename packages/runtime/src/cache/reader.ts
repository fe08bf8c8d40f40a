import type { KubernetesObject } from "../api/index.ts";
import { metadataOf } from "../client/answers.ts";
import type { List, ListOptions, ObjectKey, ReadOptions, Stored } from "../client/client.ts";
import { labelMatcher } from "../client/label-selector.ts";
import { requireNamespace } from "../client/resource.ts";
import { fieldPath } from "../client/selectors.ts";
import { ApiError } from "../errors/api-error.ts";
import { withDeepStack } from "../errors/deep-stack.ts";
import { cloneJson } from "../json/clone.ts";
import type { Informer } from "./informer.ts";
import { storeKey } from "./store.ts";

/**
 * Reads one object of an informer: a private copy or the frozen original. As in reads from the API server, kinds without
 * namespaces ignore the namespace, and others require it.
 */
export function getCached<T extends KubernetesObject>(
  informer: Informer<T>,
  key: ObjectKey,
  options: ReadOptions = {},
): Stored<T> {
  const { name } = key;
  const { resource } = informer;
  const namespace = resource?.namespaced === false ? undefined : key.namespace;
  if (resource?.namespaced) requireNamespace(resource, namespace, JSON.stringify(name));
  checkNamespace(informer, namespace ?? "");
  const stored = storeKey(namespace, name);
  const object = includesOwnWrites(options) ? informer.ownWrites.get(stored) : informer.store.get(stored);
  if (!object) throw withDeepStack(() => ApiError.notFound(informer.kind, name));
  return view(object, options) as Stored<T>;
}

/** Lists the objects of an informer. */
export function listCached<T extends KubernetesObject>(informer: Informer<T>, options: ListOptions = {}): List<T> {
  if (options.continue) throw new Error("continue is not supported by the cache: use the API reader for pages");
  const { namespace } = options;
  if (namespace) checkNamespace(informer, namespace);
  const fields = Object.entries(options.fields ?? {}).map(([path, value]) => [fieldPath(path), value] as const);
  const matches = matcher(informer, options, fields);
  const candidates = candidatesFor(informer, namespace, fields);
  const matching = filter(candidates, matches);
  const objects = includesOwnWrites(options) ? informer.ownWrites.overlay(matching, matches) : [...matching];
  const isCut = options.limit !== undefined && options.limit > 0 && objects.length > options.limit;
  const items = (isCut ? objects.slice(0, options.limit) : objects) as Stored<T>[];
  return {
    items: options.shared && !options.metadataOnly ? items : items.map((item) => view(item, options)),
    metadata: isCut ? { continue: "continue-not-supported" } : {},
  };
}

function includesOwnWrites({ disableReadYourWritesConsistency }: ReadOptions): boolean {
  return disableReadYourWritesConsistency !== true;
}

/** Returns a copy of the requested parts of an object, or the frozen original. */
function view<T extends KubernetesObject>(object: T, { shared, metadataOnly }: ReadOptions): T {
  const wanted = metadataOnly ? metadataOf(object) : object;
  if (!shared) return cloneJson(wanted);
  return metadataOnly ? Object.freeze(wanted) : wanted;
}

type FieldRequirement = readonly [path: string, value: string];

/** Returns the smallest available set that contains all matching objects. */
function candidatesFor<T extends KubernetesObject>(
  informer: Informer<T>,
  namespace: string | undefined,
  fields: readonly FieldRequirement[],
): Iterable<T> {
  const indexed = fields.find(([path]) => informer.store.hasIndex(path));
  if (indexed) return informer.store.byIndex(...indexed);
  return namespace ? informer.store.inNamespace(namespace) : informer.store.values();
}

function matcher<T extends KubernetesObject>(
  informer: Informer<T>,
  options: ListOptions,
  fields: readonly FieldRequirement[],
): (object: T) => boolean {
  const matchesLabels = labelMatcher(options.labels);
  const { namespace } = options;
  const { store, kind } = informer;
  for (const [path] of fields) {
    if (store.hasIndex(path) || path === "metadata.name" || path === "metadata.namespace") continue;
    throw new Error(
      `field ${path} of ${kind.kind} has no index: call mgr.cache.indexField(${kind.kind}, ${JSON.stringify(path)}, …) before the manager starts`,
    );
  }
  return (object) =>
    (!namespace || object.metadata?.namespace === namespace) &&
    matchesLabels(object.metadata?.labels) &&
    fields.every(([path, value]) => {
      if (store.hasIndex(path)) return store.indexed(path, object, value);
      return value === (path === "metadata.name" ? object.metadata?.name : (object.metadata?.namespace ?? ""));
    });
}

function* filter<T>(objects: Iterable<T>, matches: (object: T) => boolean): IterableIterator<T> {
  for (const object of objects) if (matches(object)) yield object;
}

function checkNamespace<T extends KubernetesObject>(informer: Informer<T>, namespace: string): void {
  if (informer.covers(namespace)) return;
  throw new Error(`namespace ${JSON.stringify(namespace)} isn't in the cache of ${informer.kind.kind}`);
}
