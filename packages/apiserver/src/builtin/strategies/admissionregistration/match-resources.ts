import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { type FieldError, notSupported, required } from "@kubewright/cel/validation";
import { validateLabelSelector } from "../../../validation/label-selector.ts";
import { isSet, objectsOf, oneOf, textsOf } from "../fields/fields.ts";
import { matchPolicies } from "./enumerations.ts";
import { namedRuleErrors } from "./rules.ts";

const mutatingOperations = ["*", "CONNECT", "CREATE", "UPDATE"];

/**
 * Checks the requests that a policy or binding applies to.
 *
 * @param value - the criteria; nothing is checked without them
 * @param path - their path
 * @returns the errors
 */
export function matchResourceErrors(value: Json | undefined, path: string): FieldError[] {
  if (!isObject(value)) return [];
  return [
    ...(isSet(value.matchPolicy)
      ? oneOf(value.matchPolicy, `${path}.matchPolicy`, matchPolicies)
      : [required(`${path}.matchPolicy`, "")]),
    ...selectorErrors(value, "namespaceSelector", path),
    ...selectorErrors(value, "objectSelector", path),
    ...ruleListErrors(value, "resourceRules", path),
    ...ruleListErrors(value, "excludeResourceRules", path),
  ];
}

function selectorErrors(criteria: JsonObject, key: string, path: string): FieldError[] {
  if (!isSet(criteria[key])) return [required(`${path}.${key}`, "")];
  return validateLabelSelector(criteria[key], `${path}.${key}`);
}

function ruleListErrors(criteria: JsonObject, key: string, path: string): FieldError[] {
  return objectsOf(criteria[key]).flatMap((rule, index) => namedRuleErrors(rule, `${path}.${key}[${index}]`));
}

/**
 * Checks that the rules of a mutating policy or its binding have only operations that can be mutated.
 *
 * @param value - the criteria
 * @param path - their path
 * @returns the errors
 */
export function mutatingOperationErrors(value: Json | undefined, path: string): FieldError[] {
  const operations = isObject(value) ? objectsOf(value.resourceRules).flatMap((rule) => textsOf(rule.operations)) : [];
  return operations
    .filter((operation) => !mutatingOperations.includes(operation))
    .map((operation) => notSupported(`${path}.resourceRules.operations`, operation, mutatingOperations));
}
