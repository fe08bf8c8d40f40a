import { findApiError, isForbidden } from "./predicates.ts";

/** A missing RBAC permission, as an API server reports it. */
export interface MissingPermission {
  /** Verb, such as `list`. */
  verb: string;
  /** API group. `""` for the core group, and if `url` is set. */
  group: string;
  /** Resource with its subresource: `pods`, `games/status`. Empty if `url` is set. */
  resource: string;
  /** Namespace of the request. Unset at cluster scope. */
  namespace?: string;
  /** Non-resource URL, such as `/metrics`. */
  url?: string;
}

const resourceRefused =
  /cannot (\S+) resource "([^"]+)" in API group "([^"]*)" (?:in the namespace "([^"]*)"|at the cluster scope)/;
const pathRefused = /cannot (\S+) path "([^"]+)"/;

/**
 * Returns the permission whose lack caused a failure. Other failures, such as the 403 of an admission webhook, of a
 * quota or of a terminating namespace, have none.
 *
 * @param error - any thrown value
 * @returns the permission, or `undefined`
 *
 * @example
 * const missing = missingPermission(error);
 * if (missing) throw new Error(`add the marker ${rbacMarker(missing)}`);
 */
export function missingPermission(error: unknown): MissingPermission | undefined {
  const apiError = findApiError(error);
  if (!apiError || !isForbidden(apiError)) return undefined;
  const resource = resourceRefused.exec(apiError.message);
  if (resource) {
    const [, verb = "", name = "", group = "", namespace] = resource;
    return { verb, group, resource: name, ...(namespace ? { namespace } : {}) };
  }
  const path = pathRefused.exec(apiError.message);
  return path ? { verb: path[1] ?? "", group: "", resource: "", url: path[2] } : undefined;
}

/**
 * Returns the marker that grants a permission, in all namespaces if none is set. `watch` includes `list`, which every
 * watch requires.
 *
 * @param permission - the permission
 * @returns a marker such as `+kubebuilder:rbac:groups=apps,resources=deployments,verbs=get`
 */
export function rbacMarker({ verb, group, resource, namespace, url }: MissingPermission): string {
  const objects = url ? `urls=${url}` : `groups=${group || "core"},resources=${resource}`;
  return `+kubebuilder:rbac:${objects},verbs=${verb === "watch" ? "list;watch" : verb}${namespace ? `,namespace=${namespace}` : ""}`;
}
