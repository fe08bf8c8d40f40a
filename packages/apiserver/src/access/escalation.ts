import { cloneJson, equalJson, goQuote, isObject, type JsonObject } from "@kubewright/cel/json";
import type { AccessRequest, Authorizer } from "../model/authorizer.ts";
import type { UserInfo } from "../model/request.ts";
import type { ApiObject, Strategy, StrategyContext } from "../model/resource.ts";
import { badRequest, forbidden, notFound, StatusError } from "../model/status.ts";
import { type RbacAuthorizer, type RoleRef, rolesNotFound } from "./rbac.ts";
import { describeMissing, missingRules, type PolicyRule, parseRules, quotedList } from "./rules.ts";

const group = "rbac.authorization.k8s.io";
const none: PolicyRule = { verbs: [], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
const fullAuthority: PolicyRule[] = [
  { ...none, verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { ...none, verbs: ["*"], nonResourceURLs: ["*"] },
];

/** The part of a strategy that keeps users from granting permissions that they don't have. */
export type EscalationRules = Required<Pick<Strategy, "prepareForCreate" | "prepareForUpdate">>;

/**
 * Creates the rules that keep users from granting permissions that they don't have. They must run before the other rules
 * of the kinds.
 *
 * @param rbac - reads the permissions of users
 * @param authorizer - decides about the verbs `escalate` and `bind`; the same as `rbac` unless everything is allowed
 * @returns the rules by resource
 */
export function escalationRules(
  rbac: RbacAuthorizer,
  authorizer: Authorizer,
): Record<"roles" | "clusterroles" | "rolebindings" | "clusterrolebindings", EscalationRules> {
  const role = (resource: "roles" | "clusterroles"): EscalationRules =>
    rulesOf((object, old, context) => checkRole(rbac, authorizer, resource, object, old, context));
  const binding = (resource: "rolebindings" | "clusterrolebindings"): EscalationRules =>
    rulesOf((object, _old, context) => checkBinding(rbac, authorizer, resource, object, context));
  return {
    roles: role("roles"),
    clusterroles: role("clusterroles"),
    rolebindings: binding("rolebindings"),
    clusterrolebindings: binding("clusterrolebindings"),
  };
}

type Check = (object: ApiObject, old: ApiObject | undefined, context: StrategyContext) => void;

function rulesOf(check: Check): EscalationRules {
  const guarded: Check = (object, old, context) => {
    if (context.user.groups.includes("system:masters")) return;
    if (old !== undefined && changesOnlyCollection(object, old)) return;
    check(object, old, context);
  };
  return {
    prepareForCreate: (object, context) => guarded(object, undefined, context),
    prepareForUpdate: (object, old, context) => guarded(object, old, context),
  };
}

/** Reports whether an update changes only what the garbage collector needs to delete the object. */
function changesOnlyCollection(object: ApiObject, old: ApiObject): boolean {
  const same = cloneJson(object);
  for (const key of ["ownerReferences", "finalizers", "managedFields"] as const) {
    if (old.metadata[key] === undefined) delete same.metadata[key];
    else Object.assign(same.metadata, { [key]: old.metadata[key] });
  }
  return equalJson(same, old);
}

function checkRole(
  rbac: RbacAuthorizer,
  authorizer: Authorizer,
  resource: "roles" | "clusterroles",
  object: ApiObject,
  old: ApiObject | undefined,
  { user }: StrategyContext,
): void {
  const { name = "", namespace = "" } = object.metadata;
  const access = accessTo(user, "escalate", resource, namespace, old === undefined ? "" : name);
  if (authorizer.authorize(access).allowed) return;
  const of = { group, resource };
  const problem = missingPermissions(rbac, user, namespace, parseRules(object), resource);
  if (problem !== undefined) throw forbidden(of, name, problem);
  const aggregates = hasAggregationRule(object) || (old !== undefined && hasAggregationRule(old));
  if (resource === "roles" || !aggregates) return;
  if (missingPermissions(rbac, user, namespace, fullAuthority, resource) !== undefined) {
    throw forbidden(of, name, "must have cluster-admin privileges to use the aggregationRule");
  }
}

function hasAggregationRule(role: JsonObject): boolean {
  const rule = role.aggregationRule;
  return isObject(rule) && Array.isArray(rule.clusterRoleSelectors) && rule.clusterRoleSelectors.length > 0;
}

function checkBinding(
  rbac: RbacAuthorizer,
  authorizer: Authorizer,
  resource: "rolebindings" | "clusterrolebindings",
  object: ApiObject,
  { user }: StrategyContext,
): void {
  const { name = "", namespace = "" } = object.metadata;
  const reference = isObject(object.roleRef) ? object.roleRef : {};
  const roleRef: RoleRef = { kind: String(reference.kind ?? ""), name: String(reference.name ?? "") };
  if (roleRef.kind === "ClusterRole" || roleRef.kind === "Role") {
    const access = accessTo(
      user,
      "bind",
      roleRef.kind === "ClusterRole" ? "clusterroles" : "roles",
      namespace,
      roleRef.name,
    );
    if (authorizer.authorize({ ...access, group: String(reference.apiGroup ?? "") }).allowed) return;
  } else {
    throw new StatusError(500, "", `unsupported role reference kind: ${goQuote(roleRef.kind)}`);
  }
  if (roleRef.name === "") throw badRequest("Name parameter required.");
  const rules = rbac.rulesOf(roleRef, namespace);
  // The real server names the resource of the request, not that of the role.
  if (rules === undefined) throw notFound({ group, resource }, roleRef.name);
  const problem = missingPermissions(rbac, user, namespace, rules, resource);
  if (problem !== undefined) throw forbidden({ group, resource }, name, problem);
}

function accessTo(user: UserInfo, verb: string, resource: string, namespace: string, name: string): AccessRequest {
  return {
    user,
    verb,
    isResource: true,
    path: "",
    group,
    version: "*",
    resource,
    subresource: "",
    namespace,
    name,
  };
}

function missingPermissions(
  rbac: RbacAuthorizer,
  user: UserInfo,
  namespace: string,
  wanted: readonly PolicyRule[],
  resource: string,
): string | undefined {
  const owned = rbac.rulesFor(user, namespace);
  const missing = missingRules(owned.rules, wanted);
  if (missing.length === 0) return undefined;
  const who = `user ${goQuote(user.name)} (groups=${quotedList(user.groups)})`;
  const lines = describeMissing(missing).join("\n");
  const problem = rolesNotFound(owned.missing, () => resource);
  const suffix = problem === "" ? "" : `; resolution errors: [${problem}]`;
  return `${who} is attempting to grant RBAC permissions not currently held:\n${lines}${suffix}`;
}
