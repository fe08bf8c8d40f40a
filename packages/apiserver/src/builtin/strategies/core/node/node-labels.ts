import type { JsonObject } from "@kubewright/cel/json";
import { isValidLabelValue } from "@kubewright/cel/validation";
import { objectsOf, textOf, textsOf } from "../../fields/fields.ts";

const deprecated: ReadonlyMap<string, string> = new Map([
  ["beta.kubernetes.io/arch", 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ["beta.kubernetes.io/os", 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ["failure-domain.beta.kubernetes.io/region", 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ["failure-domain.beta.kubernetes.io/zone", 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ["beta.kubernetes.io/instance-type", 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ["app.kubernetes.io/created-by", "deprecated since v1.9"],
  ["scheduler.alpha.kubernetes.io/preferAvoidPods", "deprecated since v1.22; use Taints and Tolerations instead"],
  ["node-role.kubernetes.io/master", 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/**
 * Finds the warning for a label of nodes.
 *
 * @param key - the label
 * @returns the end of the warning; undefined if the label isn't deprecated
 */
export function deprecatedNodeLabel(key: string): string | undefined {
  return deprecated.get(key);
}

/**
 * Finds the warnings for a term of a selector of nodes.
 *
 * @param term - the term
 * @param path - its path
 * @param checksValues - true to report invalid values of labels
 * @returns the warnings
 */
export function nodeTermWarnings(term: JsonObject, path: string, checksValues = false): string[] {
  return objectsOf(term.matchExpressions).flatMap((expression, index) => {
    const at = `${path}.matchExpressions[${index}]`;
    const key = textOf(expression.key);
    const warning = deprecatedNodeLabel(key);
    const warnings = warning === undefined ? [] : [`${at}.key: ${key} is ${warning}`];
    if (!checksValues) return warnings;
    for (const [place, value] of textsOf(expression.values).entries()) {
      for (const problem of isValidLabelValue(value)) {
        warnings.push(`${at}.values[${place}]: ${value} is invalid, ${problem}`);
      }
    }
    return warnings;
  });
}
