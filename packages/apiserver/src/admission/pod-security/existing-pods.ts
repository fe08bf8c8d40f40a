import { compareBytes } from "@kubewright/cel/json";
import type { ApiObject } from "../../model/resource.ts";
import { counted } from "./messages.ts";
import { asPod } from "./pod.ts";
import { type LevelVersion, levelText } from "./policy.ts";
import { reasonText, rulesOf, violationsOf } from "./violations.ts";

/** More Pods would take too long. */
const mostPods = 3000;

/**
 * Checks the Pods of a namespace whose level changes.
 *
 * @param namespace - the name of the namespace
 * @param pods - its Pods
 * @param enforce - the new level
 * @returns the warnings about Pods that violate it
 */
export function existingPodsWarnings(namespace: string, pods: readonly ApiObject[], enforce: LevelVersion): string[] {
  const checked = byController(pods).slice(0, mostPods);
  const rules = rulesOf(enforce);
  const namesByProblem = new Map<string, string[]>();
  for (const pod of checked) {
    const problem = reasonText(violationsOf(asPod(pod), rules));
    if (problem === "") continue;
    const names = namesByProblem.get(problem) ?? [];
    names.push(pod.metadata.name ?? "");
    namesByProblem.set(problem, names);
  }
  const warnings: string[] = [];
  if (checked.length < pods.length) {
    const numbers = `${checked.length} of ${pods.length}`;
    warnings.push(`new PodSecurity enforce level only checked against the first ${numbers} existing pods`);
  }
  if (namesByProblem.size > 0) {
    const level = levelText(enforce);
    warnings.push(`existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${level}"`);
  }
  const perProblem = [...namesByProblem].map(([problem, names]) => {
    const first = [...names].sort(compareBytes)[0];
    const others = names.length - 1;
    return others === 0
      ? `${first}: ${problem}`
      : `${first} (and ${others} other ${counted("pod", others)}): ${problem}`;
  });
  return [...warnings, ...perProblem.sort(compareBytes)];
}

/** Puts one Pod of each controller before its others, which are alike. */
function byController(pods: readonly ApiObject[]): ApiObject[] {
  const seen = new Set<unknown>();
  const alike: ApiObject[] = [];
  const different = pods.filter((pod) => {
    const controller = pod.metadata.ownerReferences?.find((owner) => owner.controller === true)?.uid;
    if (controller === undefined) return true;
    if (seen.has(controller)) {
      alike.push(pod);
      return false;
    }
    seen.add(controller);
    return true;
  });
  return [...different, ...alike];
}
