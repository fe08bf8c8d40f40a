// Keys of labels that rules about the places of Pods compare with the labels of the Pod itself.
import type { Json, JsonObject } from "@kubewright/cel/json";
import { type FieldError, forbiddenValue, invalidValue, isQualifiedName } from "@kubewright/cel/validation";
import { fieldsOf, invalidFor, isSet, objectsOf, textOf, textsOf } from "../../fields/fields.ts";

function keyErrors(rule: JsonObject, field: string, path: string): FieldError[] {
  const keys = textsOf(rule[field]);
  if (keys.length === 0) return [];
  if (!isSet(rule.labelSelector)) {
    return [forbiddenValue(`${path}.${field}`, "must not be specified when labelSelector is not set")];
  }
  return keys.flatMap((key, index) => invalidFor(`${path}.${field}[${index}]`, key, isQualifiedName(key)));
}

/** Finds the keys that the selector already has beside the requirement that the server adds for them. */
function repeatedErrors(keys: readonly string[], selector: JsonObject, path: string): FieldError[] {
  const matched = new Set(Object.keys(fieldsOf(selector.matchLabels)));
  return objectsOf(selector.matchExpressions).flatMap((expression) => {
    const key = textOf(expression.key);
    const isRepeated = matched.has(key) && keys.includes(key);
    matched.add(key);
    if (!isRepeated) return [];
    // The server leaves the name of the field out of this path.
    const at = `${path}[${keys.lastIndexOf(key)}]`;
    return [invalidValue(at, key, "exists in both matchLabelKeys and labelSelector")];
  });
}

/**
 * Checks the keys of labels of a rule.
 *
 * @param rule - a term of an affinity, or a constraint for the spread of Pods
 * @param path - its path
 * @returns the errors
 */
export function labelKeyErrors(rule: JsonObject, path: string): FieldError[] {
  const [keys, others] = [textsOf(rule.matchLabelKeys), textsOf(rule.mismatchLabelKeys)];
  return [
    ...keyErrors(rule, "matchLabelKeys", path),
    ...keyErrors(rule, "mismatchLabelKeys", path),
    ...repeatedErrors(keys, fieldsOf(rule.labelSelector), path),
    ...keys.flatMap((key, index) => {
      const detail = "exists in both matchLabelKeys and mismatchLabelKeys";
      return others.includes(key) ? [invalidValue(`${path}.matchLabelKeys[${index}]`, key, detail)] : [];
    }),
  ];
}

/**
 * Adds requirements for the labels of a new Pod to the selectors of rules with keys of labels.
 *
 * @param spec - the specification of the Pod, which this function changes
 * @param labels - the labels of the Pod
 */
export function applyLabelKeys(spec: JsonObject, labels: Json | undefined): void {
  const terms = ["podAffinity", "podAntiAffinity"].flatMap((kind) => {
    const rules = fieldsOf(fieldsOf(spec.affinity)[kind]);
    return [
      ...objectsOf(rules.preferredDuringSchedulingIgnoredDuringExecution).map((term) => fieldsOf(term.podAffinityTerm)),
      ...objectsOf(rules.requiredDuringSchedulingIgnoredDuringExecution),
    ];
  });
  for (const rule of [...terms, ...objectsOf(spec.topologySpreadConstraints)]) {
    if (!isSet(rule.labelSelector)) continue;
    const selector = fieldsOf(rule.labelSelector);
    const added = [
      ...requirements(textsOf(rule.matchLabelKeys), "In", fieldsOf(labels)),
      ...requirements(textsOf(rule.mismatchLabelKeys), "NotIn", fieldsOf(labels)),
    ];
    if (added.length > 0) selector.matchExpressions = [...objectsOf(selector.matchExpressions), ...added];
  }
}

function requirements(keys: readonly string[], operator: string, labels: JsonObject): JsonObject[] {
  return keys.flatMap((key) => {
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
}
