import { isObject, type JsonObject } from "@kubewright/cel/json";
import type { AccessRequest, Authorizer, Decision } from "../model/authorizer.ts";
import type { UserInfo } from "../model/request.ts";
import { ParsedCollection } from "../storage/parsed-collection.ts";
import type { Store } from "../storage/store.ts";
import { allows, type PolicyRule, parseRules } from "./rules.ts";

interface Binding {
  description: string;
  /** Empty for ClusterRoleBindings. */
  namespace: string;
  subjects: JsonObject[];
  roleRef: RoleRef;
}

/** The role that a binding refers to. */
export interface RoleRef {
  kind: string;
  name: string;
}

/** The rules that a user has, and the roles that couldn't be read. */
export interface UserRules {
  rules: PolicyRule[];
  /** The roles of bindings that don't exist. */
  missing: RoleRef[];
}

const group = "rbac.authorization.k8s.io";
const privilegedGroup = "system:masters";

/** Decides about access by the roles and bindings in the store. */
export class RbacAuthorizer implements Authorizer {
  readonly #roles: ParsedCollection<PolicyRule[]>;
  readonly #clusterRoles: ParsedCollection<PolicyRule[]>;
  readonly #bindings: ParsedCollection<Binding>;
  readonly #clusterBindings: ParsedCollection<Binding>;

  /** @param store - where the roles and bindings are */
  constructor(store: Store) {
    const of = <T>(resource: string, parse: (object: JsonObject) => T): ParsedCollection<T> =>
      new ParsedCollection(store.collection(`${resource}.${group}`), parse);
    this.#roles = of("roles", parseRules);
    this.#clusterRoles = of("clusterroles", parseRules);
    this.#bindings = of("rolebindings", parseBinding);
    this.#clusterBindings = of("clusterrolebindings", parseBinding);
  }

  authorize(request: AccessRequest): Decision {
    if (request.user.groups.includes(privilegedGroup)) return { allowed: true, reason: "" };
    const missing: RoleRef[] = [];
    for (const { rules, reason } of this.#grants(request.user, request.namespace, missing)) {
      if (rules.some((rule) => allows(rule, request))) return { allowed: true, reason: reason() };
    }
    const problem = rolesNotFound(missing);
    return { allowed: false, reason: problem === "" ? "" : `RBAC: ${problem}` };
  }

  /** Returns the rules that apply to a user in a namespace, those of the cluster first. */
  rulesFor(user: UserInfo, namespace: string): UserRules {
    const missing: RoleRef[] = [];
    const rules = [...this.#grants(user, namespace, missing)].flatMap((grant) => grant.rules);
    return { rules, missing };
  }

  /** Returns the rules of a role; undefined if it doesn't exist. */
  rulesOf({ kind, name }: RoleRef, namespace: string): PolicyRule[] | undefined {
    return kind === "ClusterRole" ? this.#clusterRoles.get(name) : this.#roles.get(`${namespace}/${name}`);
  }

  *#grants(user: UserInfo, namespace: string, missing: RoleRef[]): Generator<Grant> {
    for (const binding of this.#clusterBindings.list()) yield* this.#granted(binding, user, missing);
    if (namespace === "") return;
    for (const binding of this.#bindings.list(`${namespace}/`)) yield* this.#granted(binding, user, missing);
  }

  *#granted(binding: Binding, user: UserInfo, missing: RoleRef[]): Generator<Grant> {
    const { roleRef, namespace, description } = binding;
    const subject = binding.subjects.find((subject) => applies(subject, user, namespace));
    if (subject === undefined) return;
    const rules = this.rulesOf(roleRef, namespace);
    if (rules === undefined) {
      missing.push(roleRef);
      return;
    }
    const reason = (): string =>
      `RBAC: allowed by ${description} of ${roleRef.kind} "${roleRef.name}" to ${describe(subject, namespace)}`;
    yield { rules, reason };
  }
}

interface Grant {
  rules: PolicyRule[];
  reason: () => string;
}

/**
 * Describes roles that don't exist.
 *
 * @param missing - the roles
 * @param resourceOf - returns the resource that the message names: the singular form where the server decides about
 *   access, and the resource of the request where it compares permissions
 * @returns the message; empty for no roles
 */
export function rolesNotFound(
  missing: readonly RoleRef[],
  resourceOf: (role: RoleRef) => string = ({ kind }) => (kind === "ClusterRole" ? "clusterrole" : "role"),
): string {
  const problems = missing.map((role) => `${resourceOf(role)}.${group} "${role.name}" not found`);
  const unique = [...new Set(problems)];
  return unique.length > 1 ? `[${unique.join(", ")}]` : (unique[0] ?? "");
}

function parseBinding(object: JsonObject): Binding {
  const metadata = object.metadata as JsonObject;
  const roleRef = isObject(object.roleRef) ? object.roleRef : {};
  const namespace = (metadata.namespace as string | undefined) ?? "";
  const name = String(metadata.name);
  return {
    description: namespace === "" ? `ClusterRoleBinding "${name}"` : `RoleBinding "${name}/${namespace}"`,
    namespace,
    subjects: (Array.isArray(object.subjects) ? object.subjects : []).filter(isObject),
    roleRef: { kind: String(roleRef.kind ?? ""), name: String(roleRef.name ?? "") },
  };
}

function applies(subject: JsonObject, user: UserInfo, bindingNamespace: string): boolean {
  switch (subject.kind) {
    case "User":
      return subject.name === user.name;
    case "Group":
      return user.groups.includes(String(subject.name));
    case "ServiceAccount": {
      const namespace = (subject.namespace as string | undefined) || bindingNamespace;
      return namespace !== "" && user.name === `system:serviceaccount:${namespace}:${String(subject.name)}`;
    }
    default:
      return false;
  }
}

function describe(subject: JsonObject, bindingNamespace: string): string {
  const name = String(subject.name);
  if (subject.kind !== "ServiceAccount") return `${String(subject.kind)} "${name}"`;
  return `ServiceAccount "${name}/${(subject.namespace as string | undefined) || bindingNamespace}"`;
}
