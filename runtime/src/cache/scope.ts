import type { KubernetesObject } from "../api/index.ts";
import { labelMatcher } from "./label-selector.ts";
import type { WatchScope } from "./list-watch.ts";

/** A watch of an informer: selects its objects. */
export interface InformerScope extends WatchScope {
  /** Namespaces that belong to other scopes of the informer. */
  except?: readonly string[];
  /** Applied before an object is stored. It may change the object. */
  transform?: (object: KubernetesObject) => KubernetesObject;
}

/** Whether the scope includes a namespace, apart from its selectors. */
export function coversNamespace(scope: InformerScope, namespace: string): boolean {
  if (scope.namespace !== undefined) return scope.namespace === namespace;
  return !scope.except?.includes(namespace);
}

/**
 * Tells whether an object belongs into a scope. `undefined` where only the server can tell: field selectors know fields that
 * have no path.
 */
export function scopeMatcher(scope: InformerScope): (object: KubernetesObject) => boolean | undefined {
  const matchesLabels = labelMatcher(scope.labels);
  return (object) => {
    if (!coversNamespace(scope, object.metadata?.namespace ?? "")) return false;
    if (!matchesLabels(object.metadata?.labels)) return false;
    return scope.fields ? undefined : true;
  };
}
