import type { Json } from "@kubewright/cel/json";
import { duplicateValue, type FieldError, isQualifiedName, required, tooMany } from "@kubewright/cel/validation";
import { objectsOf, requiredText, textOf } from "../fields/fields.ts";
import { expressionErrors } from "./expressions.ts";

const maximumConditions = 64;

/**
 * Checks the match conditions of a webhook or policy.
 *
 * @param value - the conditions
 * @param path - their path
 * @param environment - whether the expressions may refer to `params`
 * @returns the errors
 */
export function matchConditionErrors(
  value: Json | undefined,
  path: string,
  environment: { params: boolean },
): FieldError[] {
  const conditions = objectsOf(value);
  const errors: FieldError[] = [];
  if (conditions.length > maximumConditions) errors.push(tooMany(path, conditions.length, maximumConditions));
  const names = new Set<string>();
  for (const [index, condition] of conditions.entries()) {
    const at = `${path}[${index}]`;
    const [name, expression] = [textOf(condition.name), textOf(condition.expression).trim()];
    if (expression === "") errors.push(required(`${at}.expression`, ""));
    else errors.push(...expressionErrors(expression, `${at}.expression`, environment, ["bool"]));
    errors.push(...requiredText(name, `${at}.name`, isQualifiedName));
    if (name !== "" && names.has(name)) errors.push(duplicateValue(`${at}.name`, name));
    names.add(name);
  }
  return errors;
}
