import type { KubernetesObject } from "../api/index.ts";
import { labelMatcher } from "../client/label-selector.ts";
import type { WatchScope } from "./list-watch.ts";

/** A watch of an informer, with the selection of its objects. */
export interface InformerScope extends WatchScope {
  /** Namespaces that belong to other scopes of the informer. */
  except?: readonly string[];
  /** Applied before an object is stored. It can change the object. */
  transform?: (object: KubernetesObject) => KubernetesObject;
}

/** Checks whether the scope includes a namespace, regardless of selectors. */
export function coversNamespace(scope: InformerScope, namespace: string): boolean {
  if (scope.namespace !== undefined) return scope.namespace === namespace;
  return !scope.except?.includes(namespace);
}

/**
 * Returns a function that checks whether an object belongs to a scope. It returns `undefined` if only the server can decide:
 * field selectors can use fields without a path.
 */
export function scopeMatcher(scope: InformerScope): (object: KubernetesObject) => boolean | undefined {
  const matchesLabels = labelMatcher(scope.labels);
  return (object) => {
    if (!coversNamespace(scope, object.metadata?.namespace ?? "")) return false;
    if (!matchesLabels(object.metadata?.labels)) return false;
    return scope.fields ? undefined : true;
  };
}
