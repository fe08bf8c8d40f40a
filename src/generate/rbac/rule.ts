import { byBytes } from "../../text/byte-order.ts";
import type { PermissionRule } from "../markers/index.ts";

/** A rule while merging: sorted sets without duplicates. Frozen. */
export type Rule = PermissionRule;

/** The name of a set in a rule. */
export type Dimension = keyof Rule;

export const DIMENSIONS: readonly Dimension[] = ["groups", "resources", "resourceNames", "urls", "verbs"];

/** Creates a rule from sets in any order; `core` is an alias of the group `""`. */
export function createRule(parts: Rule): Rule {
  return Object.freeze({
    groups: toSet(parts.groups.map((group) => (group === "core" ? "" : group))),
    resources: toSet(parts.resources),
    resourceNames: toSet(parts.resourceNames),
    urls: toSet(parts.urls),
    verbs: toSet(parts.verbs),
  });
}

function toSet(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort(byBytes);
}
