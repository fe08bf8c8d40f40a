import { baseline } from "./baseline.ts";
import type { Check, Rule, Violation } from "./check.ts";
import type { Pod } from "./pod.ts";
import { type LevelVersion, minorVersion } from "./policy.ts";
import { restricted } from "./restricted.ts";

/** Returns the newest form of a check that a version has. */
function ruleOf({ rules }: Check, minor: number): Rule | undefined {
  return rules.findLast(([since]) => since <= minor)?.[1];
}

/** Returns the rules of a level. */
export function rulesOf(policy: LevelVersion): Rule[] {
  if (policy.level === "privileged") return [];
  const minor = minorVersion(policy);
  const existing = (checks: readonly Check[]): Check[] => checks.filter((check) => ruleOf(check, minor) !== undefined);
  const more = policy.level === "restricted" ? existing(restricted) : [];
  const included = new Set(more.map(({ includes }) => includes));
  const checks = [...baseline.filter((check) => !included.has(check)), ...more];
  return checks.flatMap((check) => ruleOf(check, minor) ?? []);
}

/**
 * Checks a Pod.
 *
 * @param pod - the Pod, or a template of Pods
 * @param rules - the rules of a level
 * @returns the violations, in the order of the messages
 */
export function violationsOf(pod: Pod, rules: readonly Rule[]): Violation[] {
  return rules.flatMap((rule) => rule(pod) ?? []);
}

/** Returns violations in the form for one Pod. */
export function detailText(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(", ");
}

/** Returns violations in the form for several Pods. */
export function reasonText(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(", ");
}
