import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  isQualifiedName,
  isValidLabelValue,
  required,
  validateLabels,
} from "@kubewright/cel/validation";

/**
 * Validates a label selector with `matchLabels` and `matchExpressions`.
 *
 * @param selector - the selector; nothing is checked without one
 * @param path - its path
 * @returns the errors
 */
export function validateLabelSelector(selector: Json | undefined, path: string): FieldError[] {
  if (!isObject(selector)) return [];
  const expressions = Array.isArray(selector.matchExpressions) ? selector.matchExpressions.filter(isObject) : [];
  return [
    ...validateLabels(selector.matchLabels, `${path}.matchLabels`),
    ...expressions.flatMap((expression, index) => requirementErrors(expression, `${path}.matchExpressions[${index}]`)),
  ];
}

function requirementErrors(expression: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { operator = "", key = "" } = expression as { operator?: string; key?: string };
  const values = (expression.values ?? []) as string[];
  if (operator === "In" || operator === "NotIn") {
    const detail = "must be specified when `operator` is 'In' or 'NotIn'";
    if (values.length === 0) errors.push(required(`${path}.values`, detail));
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    if (values.length > 0) errors.push(forbiddenValue(`${path}.values`, detail));
  } else errors.push(invalidValue(`${path}.operator`, operator, "not a valid selector operator"));
  errors.push(...isQualifiedName(key).map((problem) => invalidValue(`${path}.key`, key, problem)));
  for (const [index, value] of values.entries()) {
    errors.push(...isValidLabelValue(value).map((problem) => invalidValue(`${path}.values[${index}]`, value, problem)));
  }
  return errors;
}
