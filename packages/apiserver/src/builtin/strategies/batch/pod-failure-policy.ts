import type { Json, JsonObject } from "@kubewright/cel/json";
import {
  duplicateValue,
  type FieldError,
  invalidValue,
  isQualifiedName,
  notSupported,
  required,
  tooMany,
} from "@kubewright/cel/validation";
import { fieldsOf, invalidFor, isSet, objectsOf, textOf } from "../fields/fields.ts";

const actions = ["Count", "FailIndex", "FailJob", "Ignore"];
const statuses = ["False", "True", "Unknown"];
const operators = ["In", "NotIn"];

function listed(values: readonly string[]): string {
  return `valid values: [${values.map((value) => JSON.stringify(value)).join(" ")}]`;
}

function choice(value: Json | undefined, path: string, values: readonly string[]): FieldError[] {
  const text = textOf(value);
  if (text === "") return [required(path, listed(values))];
  return values.includes(text) ? [] : [notSupported(path, text, values)];
}

function exitCodeErrors(rule: JsonObject, path: string, containers: readonly string[]): FieldError[] {
  const operator = textOf(rule.operator);
  const errors = choice(operator, `${path}.operator`, operators);
  if (isSet(rule.containerName) && !containers.includes(textOf(rule.containerName))) {
    const detail = "must be one of the container or initContainer names in the pod template";
    errors.push(invalidValue(`${path}.containerName`, rule.containerName, detail));
  }
  const values = (Array.isArray(rule.values) ? rule.values : []) as number[];
  const at = `${path}.values`;
  if (values.length === 0) errors.push(invalidValue(at, rule.values ?? null, "at least one value is required"));
  if (values.length > 255) errors.push(tooMany(at, values.length, 255));
  for (const [index, value] of values.entries()) {
    if (operator === "In" && value === 0) {
      errors.push(invalidValue(`${at}[${index}]`, value, "must not be 0 for the In operator"));
    }
    if (values.indexOf(value) < index) errors.push(duplicateValue(`${at}[${index}]`, value));
  }
  if (values.some((value, index) => index > 0 && (values[index - 1] as number) > value)) {
    errors.push(invalidValue(at, values, "must be ordered"));
  }
  return errors;
}

function conditionErrors(patterns: readonly JsonObject[], path: string): FieldError[] {
  const errors: FieldError[] = patterns.length > 20 ? [tooMany(path, patterns.length, 20)] : [];
  for (const [index, { type, status }] of patterns.entries()) {
    const at = `${path}[${index}]`;
    errors.push(...invalidFor(`${at}.type`, textOf(type), isQualifiedName(textOf(type))));
    errors.push(...choice(status, `${at}.status`, statuses));
  }
  return errors;
}

/**
 * Checks the policy for failed Pods of a Job.
 *
 * @param spec - the specification of the Job
 * @param path - the path of the policy
 * @returns the errors
 */
export function podFailurePolicyErrors(spec: JsonObject, path: string): FieldError[] {
  const rules = objectsOf(fieldsOf(spec.podFailurePolicy).rules);
  const { containers, initContainers } = fieldsOf(fieldsOf(spec.template).spec);
  const names = [...objectsOf(containers), ...objectsOf(initContainers)].map(({ name }) => textOf(name));
  const errors: FieldError[] = rules.length > 20 ? [tooMany(`${path}.rules`, rules.length, 20)] : [];
  for (const [index, rule] of rules.entries()) {
    const at = `${path}.rules[${index}]`;
    const conditions = objectsOf(rule.onPodConditions);
    if (rule.action === "FailIndex" && !isSet(spec.backoffLimitPerIndex)) {
      errors.push(invalidValue(`${at}.action`, rule.action, "requires the backoffLimitPerIndex to be set"));
    } else errors.push(...choice(rule.action, `${at}.action`, actions));
    if (isSet(rule.onExitCodes)) {
      errors.push(...exitCodeErrors(fieldsOf(rule.onExitCodes), `${at}.onExitCodes`, names));
    }
    errors.push(...conditionErrors(conditions, `${at}.onPodConditions`));
    if (isSet(rule.onExitCodes) === conditions.length > 0) {
      const detail = isSet(rule.onExitCodes)
        ? "specifying both OnExitCodes and OnPodConditions is not supported"
        : "specifying one of OnExitCodes and OnPodConditions is required";
      errors.push({ type: "FieldValueInvalid", field: at, detail });
    }
  }
  return errors;
}
