import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { accessReviews } from "../../model/access-reviews.ts";
import type { AdmissionAttributes } from "../../model/admission.ts";
import { kindOf, requestKind, resourceOf, type Target } from "../../model/admission-request.ts";
import type { ApiObject, ResourceType } from "../../model/resource.ts";
import { internalError, notFound, type StatusError } from "../../model/status.ts";
import { type LabelSelector, matchesLabels } from "../../request/label-selector.ts";
import { selectorOfObject } from "../../request/selector-object.ts";
import { ParsedCollection } from "../../storage/parsed-collection.ts";
import type { Store } from "../../storage/store.ts";

/** A rule of a webhook or policy: which requests it is about. */
export interface Rule {
  operations: readonly string[];
  groups: readonly string[];
  versions: readonly string[];
  resources: readonly { resource: string; subresource: string }[];
  scope: string;
  /** Only rules of policies have names. */
  resourceNames: readonly string[];
}

/** The conditions for a webhook or policy to apply to a request. */
export interface Criteria {
  /** Undefined stands for all requests. */
  rules: readonly Rule[] | undefined;
  excluded: readonly Rule[];
  equivalent: boolean;
  /** Throws if the selector of the object can't be read. */
  namespaceSelector: () => LabelSelector;
  objectSelector: () => LabelSelector;
}

/** Returns the texts in a list. */
export function texts(value: Json | undefined): string[] {
  return (Array.isArray(value) ? value : []).filter((item) => typeof item === "string");
}

/** Returns the rules in a list of an object. */
export function parseRules(value: Json | undefined): Rule[] {
  return (Array.isArray(value) ? value : []).filter(isObject).map((rule) => ({
    operations: texts(rule.operations),
    groups: texts(rule.apiGroups),
    versions: texts(rule.apiVersions),
    resources: texts(rule.resources).map((text) => {
      const slash = text.indexOf("/");
      return slash < 0
        ? { resource: text, subresource: "" }
        : { resource: text.slice(0, slash), subresource: text.slice(slash + 1) };
    }),
    scope: typeof rule.scope === "string" ? rule.scope : "*",
    resourceNames: texts(rule.resourceNames),
  }));
}

/** Creates a function that reads a selector once. */
export function lazySelector(value: Json | undefined): () => LabelSelector {
  let parsed: LabelSelector | undefined;
  return () => {
    parsed ??= selectorOfObject(value);
    return parsed;
  };
}

/** Returns the criteria in the fields of a policy or a binding. */
export function parseMatchResources(value: Json | undefined): Criteria {
  const match: JsonObject = isObject(value) ? value : {};
  const rules = parseRules(match.resourceRules);
  return {
    rules: rules.length === 0 ? undefined : rules,
    excluded: parseRules(match.excludeResourceRules),
    equivalent: match.matchPolicy === "Equivalent",
    namespaceSelector: lazySelector(match.namespaceSelector),
    objectSelector: lazySelector(match.objectSelector),
  };
}

const configurationKinds = new Set([
  "ValidatingWebhookConfiguration",
  "MutatingWebhookConfiguration",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
]);

/** Reports whether webhooks never see a request: those that configure admission, and reviews of access. */
export function isIgnoredByWebhooks(attributes: AdmissionAttributes): boolean {
  const { group, kind } = requestKind(attributes);
  const { type } = attributes;
  if (accessReviews.has(`${type.group}/${type.resource}`)) return true;
  return group === "admissionregistration.k8s.io" && configurationKinds.has(kind);
}

const ignoredByPolicies = new Set([
  ...["validatingadmissionpolicies", "validatingadmissionpolicybindings"].map(admissionResource),
  ...["mutatingadmissionpolicies", "mutatingadmissionpolicybindings"].map(admissionResource),
  ...accessReviews,
]);

function admissionResource(resource: string): string {
  return `admissionregistration.k8s.io/${resource}`;
}

/** Reports whether policies never see a request: those for policies themselves, and reviews of access. */
export function isIgnoredByPolicies({ type }: AdmissionAttributes): boolean {
  return ignoredByPolicies.has(`${type.group}/${type.resource}`);
}

/** Finds which requests webhooks and policies are about. */
export class Matcher {
  readonly #namespaces: ParsedCollection<ApiObject>;
  readonly #equivalents: (type: ResourceType) => readonly ResourceType[];

  /**
   * @param store - where the namespaces are
   * @param equivalents - returns all resources that share the objects of a resource, which is one of them
   */
  constructor(store: Store, equivalents: (type: ResourceType) => readonly ResourceType[]) {
    this.#namespaces = new ParsedCollection(store.collection("namespaces"), (object) => object as ApiObject);
    this.#equivalents = equivalents;
  }

  /**
   * Decides if a webhook or policy is about a request.
   *
   * @param criteria - of the webhook or policy
   * @param attributes - the request
   * @returns the resource and version that it has asked for, or undefined
   * @throws StatusError if a selector can't be evaluated
   */
  match(criteria: Criteria, attributes: AdmissionAttributes): Target | undefined {
    // Selectors come first, because most webhooks of a cluster have some; their errors only count if a rule matches.
    const problem = this.#selectorsMatch(criteria, attributes);
    if (problem === false) return undefined;
    if (criteria.excluded.length > 0 && this.#matchRules(criteria.excluded, criteria.equivalent, attributes)) {
      return undefined;
    }
    const target =
      criteria.rules === undefined ? attributes : this.#matchRules(criteria.rules, criteria.equivalent, attributes);
    if (target !== undefined && problem !== true) throw problem;
    return target;
  }

  /** Returns true or false, or the error that keeps the selectors from being evaluated. */
  #selectorsMatch(criteria: Criteria, attributes: AdmissionAttributes): boolean | StatusError {
    let problem: StatusError | undefined;
    try {
      if (!this.#namespaceMatches(criteria, attributes)) return false;
    } catch (error) {
      problem = error as StatusError;
    }
    try {
      if (!objectMatches(criteria, attributes)) return false;
    } catch (error) {
      problem ??= error as StatusError;
    }
    return problem ?? true;
  }

  #namespaceMatches(criteria: Criteria, attributes: AdmissionAttributes): boolean {
    const { namespace, type, operation, subresource } = attributes;
    // No selector exempts objects of the cluster, except namespaces, which it selects by their own labels.
    if (namespace === "" && type.resource !== "namespaces") return true;
    const selector = readSelector(criteria.namespaceSelector);
    if (selector.length === 0) return true;
    const writes = operation === "CREATE" || operation === "UPDATE";
    if (type.resource === "namespaces" && subresource === "" && writes) {
      return matchesLabels(selector, attributes.object?.metadata.labels);
    }
    const stored = this.namespace(namespace || attributes.name);
    return matchesLabels(selector, stored.metadata.labels);
  }

  /**
   * Reads a namespace.
   *
   * @param name - its name
   * @returns the namespace as it is stored
   * @throws StatusError (404) if it doesn't exist
   */
  namespace(name: string): ApiObject {
    const stored = this.#namespaces.get(name);
    if (stored === undefined) throw notFound({ group: "", resource: "namespaces" }, name);
    return stored;
  }

  #matchRules(rules: readonly Rule[], equivalent: boolean, attributes: AdmissionAttributes): Target | undefined {
    if (rules.some((rule) => ruleMatches(rule, attributes, attributes))) return attributes;
    if (!equivalent) return undefined;
    const { type, version, subresource } = attributes;
    const others: Target[] = [];
    for (const other of this.#equivalents(type)) {
      for (const served of other.versions.values()) {
        const same = other === type && served.version === version.version;
        const target = { type: other, version: served };
        if (!same && kindOf(target, subresource) !== undefined) others.push(target);
      }
    }
    for (const rule of rules) {
      const matched = others.find((target) => ruleMatches(rule, attributes, target));
      if (matched !== undefined) return matched;
    }
    return undefined;
  }
}

function readSelector(read: () => LabelSelector): LabelSelector {
  try {
    return read();
  } catch (error) {
    throw internalError((error as Error).message);
  }
}

function objectMatches(criteria: Criteria, { object, oldObject }: AdmissionAttributes): boolean {
  const selector = readSelector(criteria.objectSelector);
  if (selector.length === 0) return true;
  return [object, oldObject].some(
    (apiObject) => apiObject?.metadata !== undefined && matchesLabels(selector, apiObject.metadata.labels),
  );
}

function includes(list: readonly string[], value: string): boolean {
  return list.includes("*") || list.includes(value);
}

function ruleMatches(rule: Rule, attributes: AdmissionAttributes, target: Target): boolean {
  const { group, version, resource } = resourceOf(target);
  const isNamespace = group === "" && version === "v1" && resource === "namespaces";
  const inCluster = isNamespace || attributes.namespace === "";
  if (rule.scope === "Namespaced" && inCluster) return false;
  if (rule.scope === "Cluster" && !inCluster) return false;
  if (!["*", "Namespaced", "Cluster"].includes(rule.scope)) return false;
  if (!includes(rule.operations, attributes.operation)) return false;
  if (!includes(rule.groups, group) || !includes(rule.versions, version)) return false;
  const named = rule.resources.some(
    (one) =>
      (one.resource === "*" || one.resource === resource) &&
      (one.subresource === "*" || one.subresource === attributes.subresource),
  );
  return named && (rule.resourceNames.length === 0 || rule.resourceNames.includes(attributes.name));
}
