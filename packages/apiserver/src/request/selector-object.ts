import { isObject, type Json } from "@kubewright/cel/json";
import type { LabelRequirement, LabelSelector } from "./label-selector.ts";

const operators: Record<string, LabelRequirement["operator"]> = {
  In: "in",
  NotIn: "notin",
  Exists: "exists",
  DoesNotExist: "!",
};

/**
 * Reads a label selector of an object, with `matchLabels` and `matchExpressions`.
 *
 * @param selector - the field; an absent selector and `{}` have no requirements
 * @returns the requirements, sorted by key
 * @throws Error if an operator is unknown
 */
export function selectorOfObject(selector: Json | undefined): LabelSelector {
  if (!isObject(selector)) return [];
  const requirements: LabelRequirement[] = [];
  for (const [key, value] of Object.entries(isObject(selector.matchLabels) ? selector.matchLabels : {})) {
    requirements.push({ key, operator: "=", values: [String(value)] });
  }
  for (const expression of Array.isArray(selector.matchExpressions) ? selector.matchExpressions : []) {
    if (!isObject(expression)) continue;
    const operator = operators[String(expression.operator)];
    if (operator === undefined)
      throw new Error(`"${String(expression.operator)}" is not a valid label selector operator`);
    const values = (Array.isArray(expression.values) ? expression.values : []).map(String);
    requirements.push({ key: String(expression.key), operator, values });
  }
  return requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}
