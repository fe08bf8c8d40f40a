import { goQuote, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import type { AccessRequest } from "../model/authorizer.ts";

/** A rule of a role. */
export interface PolicyRule {
  verbs: string[];
  apiGroups: string[];
  resources: string[];
  resourceNames: string[];
  nonResourceURLs: string[];
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Returns the rules of a role. */
export function parseRules(role: JsonObject): PolicyRule[] {
  return (Array.isArray(role.rules) ? role.rules : []).filter(isObject).map((rule) => ({
    verbs: texts(rule.verbs),
    apiGroups: texts(rule.apiGroups),
    resources: texts(rule.resources),
    resourceNames: texts(rule.resourceNames),
    nonResourceURLs: texts(rule.nonResourceURLs),
  }));
}

function matches(list: readonly string[], value: string): boolean {
  return list.includes("*") || list.includes(value);
}

/** Reports whether a rule for paths includes a path. */
function includesPath(rule: string, path: string): boolean {
  return rule === path || (rule.endsWith("*") && path.startsWith(rule.replace(/(?<!\*)\*+$/, "")));
}

/**
 * Reports whether a rule allows a request.
 *
 * @param rule - the rule
 * @param request - what a user wants
 * @returns true if it does
 */
export function allows(rule: PolicyRule, request: AccessRequest): boolean {
  if (!matches(rule.verbs, request.verb)) return false;
  if (!request.isResource) return rule.nonResourceURLs.some((url) => includesPath(url, request.path));
  if (!matches(rule.apiGroups, request.group)) return false;
  const { resource, subresource } = request;
  const full = subresource === "" ? resource : `${resource}/${subresource}`;
  const named = rule.resources.some(
    (one) => one === "*" || one === full || (subresource !== "" && one === `*/${subresource}`),
  );
  if (!named) return false;
  return rule.resourceNames.length === 0 || rule.resourceNames.includes(request.name);
}

/**
 * Finds the permissions of rules that other rules don't contain.
 *
 * @param owned - the rules that somebody has
 * @param wanted - the rules to compare with them
 * @returns the missing permissions: rules with one verb, group and resource, or one path
 */
export function missingRules(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(singleRules).filter((single) => !owned.some((rule) => covers(rule, single)));
}

function singleRules(rule: PolicyRule): PolicyRule[] {
  const singles: PolicyRule[] = [];
  const names = rule.resourceNames.length === 0 ? [undefined] : rule.resourceNames;
  for (const group of rule.apiGroups) {
    for (const resource of rule.resources) {
      for (const verb of rule.verbs) {
        for (const name of names) {
          singles.push({
            verbs: [verb],
            apiGroups: [group],
            resources: [resource],
            resourceNames: name === undefined ? [] : [name],
            nonResourceURLs: [],
          });
        }
      }
    }
  }
  for (const url of rule.nonResourceURLs) {
    for (const verb of rule.verbs) {
      singles.push({ verbs: [verb], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [url] });
    }
  }
  return singles;
}

function covers(owner: PolicyRule, single: PolicyRule): boolean {
  const all = (owned: readonly string[], wanted: readonly string[]): boolean =>
    wanted.every((one) => matches(owned, one));
  const named =
    owner.resourceNames.length === 0 ||
    (single.resourceNames.length > 0 && single.resourceNames.every((name) => owner.resourceNames.includes(name)));
  const resources = single.resources.every((resource) => {
    if (matches(owner.resources, resource)) return true;
    const slash = resource.indexOf("/");
    return slash >= 0 && owner.resources.includes(`*${resource.slice(slash)}`);
  });
  const urls = single.nonResourceURLs.every((url) =>
    owner.nonResourceURLs.some((nonResourceURL) => includesPath(nonResourceURL, url)),
  );
  return all(owner.verbs, single.verbs) && all(owner.apiGroups, single.apiGroups) && resources && named && urls;
}

/**
 * Describes missing permissions, one line per resource.
 *
 * @param rules - the result of {@link missingRules}
 * @returns the lines, sorted
 */
export function describeMissing(rules: readonly PolicyRule[]): string[] {
  const merged = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const isSimple = rule.nonResourceURLs.length === 0;
    const key = isSimple ? JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]) : JSON.stringify(rule);
    const earlier = merged.get(key);
    if (earlier === undefined) merged.set(key, { ...rule, verbs: [...rule.verbs] });
    else if (isSimple) earlier.verbs.push(...rule.verbs);
  }
  return [...new Set([...merged.values()].map(describe))].sort();
}

function describe(rule: PolicyRule): string {
  const parts: string[] = [];
  const add = (name: string, values: readonly string[]): void => {
    if (values.length > 0) parts.push(`${name}:${quotedList(values)}`);
  };
  add("APIGroups", rule.apiGroups);
  add("Resources", rule.resources);
  add("NonResourceURLs", rule.nonResourceURLs);
  add("ResourceNames", rule.resourceNames);
  add("Verbs", rule.verbs);
  return `{${parts.join(", ")}}`;
}

/** Returns texts as Go's `%q` prints a list of them. */
export function quotedList(values: readonly string[]): string {
  return `[${values.map(goQuote).join(" ")}]`;
}
