import type { Random } from "../../../scripts/test-support/random.ts";

/** A rule, with the role that contains it. */
export interface RbacRule {
  role: string;
  namespace?: string;
  groups?: string[];
  resources?: string[];
  resourceNames?: string[];
  urls?: string[];
  verbs: string[];
}

const listOf = (random: Random, from: readonly string[], most: number): string[] => {
  const chosen = random.some(from, most);
  return chosen.length > 0 ? chosen : [random.pick(from)];
};

/** Generates rules for one role from few words, so that many rules can be merged. */
export function inventRules(random: Random, role: string): RbacRule[] {
  // The reference treats rules for the group "" and rules without any group as the same, and writes no group for either.
  const grouped = random.chance(0.95);
  return Array.from({ length: 1 + random.int(8) }, () => {
    const rule: RbacRule = { role, verbs: listOf(random, ["get", "list", "watch", "update", "*"], 2) };
    if (random.chance(0.15)) rule.urls = listOf(random, ["/metrics", "/healthz", "/a/*"], 2);
    else {
      if (grouped) rule.groups = listOf(random, ["", "core", "apps", "batch", "x.example.com", "*"], 2);
      rule.resources = listOf(random, ["pods", "jobs", "pods/status", "deployments", "*"], 2);
      if (random.chance(0.2)) rule.resourceNames = listOf(random, ["one", "two", "a.b"], 2);
    }
    if (random.chance(0.2)) rule.namespace = random.pick(["system", "bay"]);
    return rule;
  });
}

/** Formats the rule as a marker, without the `+`. */
export function rbacMarker(random: Random, rule: RbacRule): string {
  const list = (words: readonly string[]): string => {
    const written = words.map((word) => (word === "" || random.chance(0.2) ? `"${word}"` : word));
    return random.chance(0.2) ? `{${written.join(",")}}` : written.join(";");
  };
  const parts = [`roleName=${rule.role}`, `verbs=${list(rule.verbs)}`];
  for (const key of ["groups", "resources", "resourceNames", "urls"] as const) {
    if (rule[key]) parts.push(`${key}=${list(rule[key])}`);
  }
  if (rule.namespace) parts.push(`namespace=${rule.namespace}`);
  return `kubebuilder:rbac:${(random.chance(0.3) ? parts.reverse() : parts).join(",")}`;
}

/** Returns each single permission that the rules grant, as text; `*` as a verb stands for all verbs. */
export function permissions(rules: readonly Partial<Omit<RbacRule, "role">>[]): Set<string> {
  const permitted = new Set<string>();
  for (const rule of rules) {
    const verbs = rule.verbs?.includes("*") ? ["*"] : (rule.verbs ?? []);
    const groups = (rule.groups ?? [""]).map((group) => (group === "core" ? "" : group));
    const targets = rule.urls
      ? rule.urls.map((url) => `url ${url}`)
      : groups.flatMap((group) =>
          (rule.resources ?? []).flatMap((resource) =>
            (rule.resourceNames ?? ["any"]).map((name) => `${group} ${resource} ${name}`),
          ),
        );
    for (const target of targets) for (const verb of verbs) permitted.add(`${rule.namespace ?? ""} ${target} ${verb}`);
  }
  return permitted;
}
