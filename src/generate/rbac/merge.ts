import { byBytes } from "../../text/byte-order.ts";
import { createRule, DIMENSIONS, type Dimension, type Rule } from "./rule.ts";

/**
 * Merges rules as controller-gen does, and sorts them. Rules that differ in only one dimension become one rule with the
 * union of that dimension: first verbs, then resources, groups and URLs. If two merged rules cover the same objects,
 * controller-gen keeps one of them at random and loses the other's verbs; here the verbs are united.
 */
export function mergeRules(rules: readonly Rule[]): readonly Rule[] {
  let merged = uniteSameObjects(rules);
  for (const dimension of ["resources", "groups", "urls"] as const) {
    merged = unite(unite(merged, dimension), "verbs");
  }
  return merged.map(collapseVerbs).sort(byObjects);
}

/**
 * Unites the verbs of rules for the same objects. Treats a rule without groups as one of the core group if there is one for
 * the same resources. controller-gen does so, too, but loses the group if the rule without one comes first.
 */
function uniteSameObjects(rules: readonly Rule[]): Rule[] {
  const withCore = (rule: Rule) => createRule({ ...rule, groups: [""] });
  const objects = (rule: Rule) => JSON.stringify({ ...rule, verbs: [] });
  const core = new Set(rules.filter((rule) => rule.groups.length === 1 && rule.groups[0] === "").map(objects));
  const completed = rules.map((rule) => {
    const candidate = rule.groups.length === 0 ? withCore(rule) : rule;
    return core.has(objects(candidate)) ? candidate : rule;
  });
  return unite(completed, "verbs");
}

/** Merges rules that are equal in all other dimensions. */
function unite(rules: readonly Rule[], dimension: Dimension): Rule[] {
  const others = DIMENSIONS.filter((other) => other !== dimension);
  const groups = new Map<string, { readonly rule: Rule; readonly values: string[] }>();
  for (const rule of rules) {
    const key = JSON.stringify(others.map((other) => rule[other]));
    const group = groups.get(key);
    if (group) for (const value of rule[dimension]) group.values.push(value);
    else groups.set(key, { rule, values: [...rule[dimension]] });
  }
  return [...groups.values()].map(({ rule, values }) => createRule({ ...rule, [dimension]: values }));
}

/** Removes all other verbs if `*` is one of them. */
function collapseVerbs(rule: Rule): Rule {
  return rule.verbs.includes("*") ? createRule({ ...rule, verbs: ["*"] }) : rule;
}

function byObjects(a: Rule, b: Rule): number {
  return byBytes(sortText(a), sortText(b)) || byBytes(JSON.stringify(a), JSON.stringify(b));
}

function sortText(rule: Rule): string {
  return [rule.groups, rule.resources, rule.resourceNames, rule.urls].map((values) => values.join("&")).join(" + ");
}
