import { isObject, type JsonObject } from "../json/json.ts";
import type { UserInfo } from "../request/request.ts";
import type { Collection, Store } from "../storage/store.ts";
import type { AccessRequest, Authorizer, Decision } from "./authorizer.ts";

/** A rule of a role. */
export interface PolicyRule {
  verbs: string[];
  apiGroups: string[];
  resources: string[];
  resourceNames: string[];
  nonResourceURLs: string[];
}

interface Binding {
  description: string;
  /** Empty for ClusterRoleBindings. */
  namespace: string;
  subjects: JsonObject[];
  roleRef: { kind: string; name: string };
}

const group = "rbac.authorization.k8s.io";

/** Decides about access by the roles and bindings in the store. */
export class RbacAuthorizer implements Authorizer {
  readonly #roles: ParsedCollection<PolicyRule[]>;
  readonly #clusterRoles: ParsedCollection<PolicyRule[]>;
  readonly #bindings: ParsedCollection<Binding>;
  readonly #clusterBindings: ParsedCollection<Binding>;

  /** @param store - where the roles and bindings are */
  constructor(store: Store) {
    const of = (resource: string): Collection => store.collection(`${resource}.${group}`);
    this.#roles = new ParsedCollection(of("roles"), parseRules);
    this.#clusterRoles = new ParsedCollection(of("clusterroles"), parseRules);
    this.#bindings = new ParsedCollection(of("rolebindings"), parseBinding);
    this.#clusterBindings = new ParsedCollection(of("clusterrolebindings"), parseBinding);
  }

  authorize(request: AccessRequest): Decision {
    if (request.user.groups.includes("system:masters")) return { allowed: true, reason: "" };
    const problems: string[] = [];
    for (const { rules, reason } of this.#grants(request.user, request.namespace, problems)) {
      if (rules.some((rule) => allows(rule, request))) return { allowed: true, reason };
    }
    return { allowed: false, reason: problems.length === 0 ? "" : `RBAC: ${aggregate(problems)}` };
  }

  rulesFor(user: UserInfo, namespace: string): PolicyRule[] {
    return [...this.#grants(user, namespace, [])].flatMap(({ rules }) => rules);
  }

  /** @returns the rules of a role; undefined if it doesn't exist */
  rulesOf(kind: string, namespace: string, name: string): PolicyRule[] | undefined {
    return kind === "ClusterRole" ? this.#clusterRoles.get(name) : this.#roles.get(`${namespace}/${name}`);
  }

  *#grants(user: UserInfo, namespace: string, problems: string[]): Generator<{ rules: PolicyRule[]; reason: string }> {
    for (const binding of this.#clusterBindings.list("")) yield* this.#granted(binding, user, problems);
    if (namespace === "") return;
    for (const binding of this.#bindings.list(`${namespace}/`)) yield* this.#granted(binding, user, problems);
  }

  *#granted(binding: Binding, user: UserInfo, problems: string[]): Generator<{ rules: PolicyRule[]; reason: string }> {
    const subject = binding.subjects.find((one) => applies(one, user, binding.namespace));
    if (subject === undefined) return;
    const { kind, name } = binding.roleRef;
    const rules = this.rulesOf(kind, binding.namespace, name);
    if (rules === undefined) {
      const resource = kind === "ClusterRole" ? "clusterrole" : "role";
      problems.push(`${resource}.${group} "${name}" not found`);
      return;
    }
    const role = `${kind} "${name}"`;
    const who = describe(subject, binding.namespace);
    yield { rules, reason: `RBAC: allowed by ${binding.description} of ${role} to ${who}` };
  }
}

/** Joins messages as Go's aggregated errors do. */
function aggregate(problems: readonly string[]): string {
  const unique = [...new Set(problems)];
  return unique.length === 1 ? (unique[0] as string) : `[${unique.join(", ")}]`;
}

/** Parsed objects of a collection, parsed again only when they change. */
class ParsedCollection<T> {
  readonly #collection: Collection;
  readonly #parse: (object: JsonObject) => T;
  readonly #parsed = new WeakMap<object, T>();

  constructor(collection: Collection, parse: (object: JsonObject) => T) {
    this.#collection = collection;
    this.#parse = parse;
  }

  get(key: string): T | undefined {
    const entry = this.#collection.get(key);
    if (entry === undefined) return undefined;
    let parsed = this.#parsed.get(entry);
    if (parsed === undefined) {
      parsed = this.#parse(JSON.parse(entry.text) as JsonObject);
      this.#parsed.set(entry, parsed);
    }
    return parsed;
  }

  list(prefix: string): T[] {
    return this.#collection.keys(prefix).map((key) => this.get(key) as T);
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function parseRules(role: JsonObject): PolicyRule[] {
  return (Array.isArray(role.rules) ? role.rules : []).filter(isObject).map((rule) => ({
    verbs: texts(rule.verbs),
    apiGroups: texts(rule.apiGroups),
    resources: texts(rule.resources),
    resourceNames: texts(rule.resourceNames),
    nonResourceURLs: texts(rule.nonResourceURLs),
  }));
}

function parseBinding(object: JsonObject): Binding {
  const metadata = object.metadata as JsonObject;
  const roleRef = object.roleRef as JsonObject;
  const namespace = (metadata.namespace as string | undefined) ?? "";
  const description =
    namespace === "" ? `ClusterRoleBinding "${metadata.name}"` : `RoleBinding "${metadata.name}/${namespace}"`;
  return {
    description,
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
      return namespace !== "" && user.name === `system:serviceaccount:${namespace}:${subject.name}`;
    }
    default:
      return false;
  }
}

function describe(subject: JsonObject, bindingNamespace: string): string {
  if (subject.kind !== "ServiceAccount") return `${subject.kind} "${subject.name}"`;
  return `ServiceAccount "${subject.name}/${(subject.namespace as string | undefined) || bindingNamespace}"`;
}

function matches(list: readonly string[], value: string): boolean {
  return list.includes("*") || list.includes(value);
}

/** Reports whether a rule allows a request. */
export function allows(rule: PolicyRule, request: AccessRequest): boolean {
  if (!matches(rule.verbs, request.verb)) return false;
  if (!request.isResource) {
    return rule.nonResourceURLs.some(
      (url) =>
        url === request.path || (url.endsWith("*") && request.path.startsWith(url.slice(0, -1).replace(/\*+$/, ""))),
    );
  }
  if (!matches(rule.apiGroups, request.group)) return false;
  const { resource, subresource } = request;
  const full = subresource === "" ? resource : `${resource}/${subresource}`;
  const named = rule.resources.some(
    (one) => one === "*" || one === full || (subresource !== "" && one === `*/${subresource}`),
  );
  if (!named) return false;
  return rule.resourceNames.length === 0 || rule.resourceNames.includes(request.name);
}
