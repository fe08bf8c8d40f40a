import type { JsonObject } from "@kubewright/cel/json";
import { type FieldError, required, tooMany } from "@kubewright/cel/validation";
import { fieldsOf, isSet, objectsOf, oneOf, optionalOneOf } from "../../fields/fields.ts";

const policies = ["Always", "Never", "OnFailure"];

/**
 * Checks when a container starts again: its policy, and the rules about exit codes that go before it.
 *
 * @param container - a container that runs beside others, or before them
 * @param path - its path
 * @param isInit - true for one that runs before the others; without a policy, its rules aren't read
 * @returns the errors
 */
export function restartErrors(container: JsonObject, path: string, isInit: boolean): FieldError[] {
  const rules = objectsOf(container.restartPolicyRules);
  const errors = optionalOneOf(container.restartPolicy, `${path}.restartPolicy`, policies);
  if (!isSet(container.restartPolicy)) {
    if (rules.length === 0) return [];
    errors.push(required(`${path}.restartPolicy`, "must specify restartPolicy when restart rules are used"));
    if (isInit) return errors;
  }
  const at = `${path}.restartPolicyRules`;
  if (rules.length > 20) errors.push(tooMany(at, rules.length, 20));
  return [...errors, ...rules.flatMap((rule, index) => ruleErrors(rule, `${at}[${index}]`))];
}

function ruleErrors({ action, exitCodes }: JsonObject, path: string): FieldError[] {
  const errors = oneOf(action, `${path}.action`, ["Restart", "RestartAllContainers"]);
  if (!isSet(exitCodes)) return [...errors, required(`${path}.exitCodes`, "must be specified")];
  const { operator, values } = fieldsOf(exitCodes);
  errors.push(...oneOf(operator, `${path}.exitCodes.operator`, ["In", "NotIn"]));
  if (Array.isArray(values) && values.length > 255) {
    errors.push(tooMany(`${path}.exitCodes.values`, values.length, 255));
  }
  return errors;
}
