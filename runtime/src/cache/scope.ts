import type { KubernetesObject } from "../api/index.ts";
import { labelMatcher } from "./label-selector.ts";
import type { WatchScope } from "./list-watch.ts";

/** One watch of an informer: which objects come through it. */
export interface InformerScope extends WatchScope {
  /** Namespaces that other scopes of the informer care for. */
  except?: readonly string[];
  /** Applied before an object is stored; may change it. */
  transform?: (object: KubernetesObject) => KubernetesObject;
}

/** Whether the objects of a namespace come through this scope, as far as they match its selectors. */
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
