import { findApiError, isForbidden } from "./predicates.ts";

/** A right that RBAC doesn't give, as a server names it in its refusal. */
export interface MissingPermission {
  verb: string;
  /** `""` for the core group, and where `url` is set. */
  group: string;
  /** With its subresource: `pods`, `games/status`. Empty where `url` is set. */
  resource: string;
  /** Where it was wanted; absent at cluster scope. */
  namespace?: string;
  /** A path that is no resource, such as `/metrics`. */
  url?: string;
}

const resourceRefused =
  /cannot (\S+) resource "([^"]+)" in API group "([^"]*)" (?:in the namespace "([^"]*)"|at the cluster scope)/;
const pathRefused = /cannot (\S+) path "([^"]+)"/;

/**
 * The right whose lack is the reason of a failure; `undefined` for every other failure, among them the 403 of an admission webhook,
 * of a quota and of a namespace that is being deleted.
 *
 * @example
 * const missing = missingPermission(error);
 * if (missing) throw new Error(`add the marker ${rbacMarker(missing)}`);
 */
export function missingPermission(error: unknown): MissingPermission | undefined {
  const found = findApiError(error);
  if (!found || !isForbidden(found)) return undefined;
  const resource = resourceRefused.exec(found.message);
  if (resource) {
    const [, verb = "", name = "", group = "", namespace] = resource;
    return { verb, group, resource: name, ...(namespace ? { namespace } : {}) };
  }
  const path = pathRefused.exec(found.message);
  return path ? { verb: path[1] ?? "", group: "", resource: "", url: path[2] } : undefined;
}

/** The marker that grants a right, in every namespace where none is given. Nobody watches who can't list: those two come together. */
export function rbacMarker({ verb, group, resource, namespace, url }: MissingPermission): string {
  const objects = url ? `urls=${url}` : `groups=${group || "core"},resources=${resource}`;
  return `+kubebuilder:rbac:${objects},verbs=${verb === "watch" ? "list;watch" : verb}${namespace ? `,namespace=${namespace}` : ""}`;
}
