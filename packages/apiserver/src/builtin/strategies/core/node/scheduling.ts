import type { Json, JsonObject } from "@kubewright/cel/json";
import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidLabelValue,
  nameIsDNSLabel,
  notSupported,
  required,
} from "@kubewright/cel/validation";
import { validateLabelSelector } from "../../../../validation/label-selector.ts";
import {
  fieldsOf,
  invalidFor,
  isSet,
  numberOf,
  objectsOf,
  optionalOneOf,
  textOf,
  textsOf,
} from "../../fields/fields.ts";
import { labelKeyErrors } from "./label-keys.ts";

const requiredRules = "requiredDuringSchedulingIgnoredDuringExecution";
const preferredRules = "preferredDuringSchedulingIgnoredDuringExecution";

function expressionErrors(expression: JsonObject, at: string, checksValues: boolean): FieldError[] {
  const [key, operator] = [textOf(expression.key), textOf(expression.operator)];
  const values = textsOf(expression.values);
  const errors: FieldError[] = [];
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) {
      errors.push(required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length > 0) {
      errors.push(forbiddenValue(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    }
  } else if (operator === "Gt" || operator === "Lt") {
    if (values.length !== 1) {
      const detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
      errors.push(required(`${at}.values`, detail));
    }
  } else errors.push(invalidValue(`${at}.operator`, operator, "not a valid selector operator"));
  errors.push(...invalidFor(`${at}.key`, key, isQualifiedName(key)));
  if (checksValues) {
    for (const [index, value] of values.entries()) {
      errors.push(...invalidFor(`${at}.values[${index}]`, value, isValidLabelValue(value)));
    }
  }
  return errors;
}

function fieldErrors(expression: JsonObject, at: string): FieldError[] {
  const [key, operator] = [textOf(expression.key), textOf(expression.operator)];
  const values = textsOf(expression.values);
  const errors: FieldError[] = [];
  if (operator === "In" || operator === "NotIn") {
    if (values.length !== 1) {
      const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
      errors.push(required(`${at}.values`, detail));
    }
  } else errors.push(invalidValue(`${at}.operator`, operator, "not a valid selector operator"));
  if (key !== "metadata.name") {
    errors.push(invalidValue(`${at}.key`, key, "not a valid field selector key"));
    return errors;
  }
  for (const [index, value] of values.entries()) {
    errors.push(...invalidFor(`${at}.values[${index}]`, value, isDNS1123Subdomain(value)));
  }
  return errors;
}

function termErrors(term: JsonObject, path: string, checksValues: boolean): FieldError[] {
  return [
    ...objectsOf(term.matchExpressions).flatMap((one, index) =>
      expressionErrors(one, `${path}.matchExpressions[${index}]`, checksValues),
    ),
    ...objectsOf(term.matchFields).flatMap((one, index) => fieldErrors(one, `${path}.matchFields[${index}]`)),
  ];
}

/** Checks a selector of nodes, which has at least one term. */
export function nodeSelectorErrors(selector: JsonObject, path: string, checksValues = true): FieldError[] {
  const terms = objectsOf(selector.nodeSelectorTerms);
  const field = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) return [required(field, "must have at least one node selector term")];
  return terms.flatMap((term, index) => termErrors(term, `${field}[${index}]`, checksValues));
}

function weightErrors(weight: Json | undefined, path: string): FieldError[] {
  const value = numberOf(weight);
  return value >= 1 && value <= 100 ? [] : [invalidValue(`${path}.weight`, value, "must be in the range 1-100")];
}

function podTermErrors(term: JsonObject, path: string): FieldError[] {
  const errors = [
    ...validateLabelSelector(term.labelSelector, `${path}.labelSelector`),
    ...validateLabelSelector(term.namespaceSelector, `${path}.namespaceSelector`),
    ...textsOf(term.namespaces).flatMap((name) => invalidFor(`${path}.namespace`, name, nameIsDNSLabel(name, false))),
  ];
  errors.push(...labelKeyErrors(term, path));
  const key = textOf(term.topologyKey);
  if (key === "") errors.push(required(`${path}.topologyKey`, "can not be empty"));
  return [...errors, ...invalidFor(`${path}.topologyKey`, key, isQualifiedName(key))];
}

/**
 * Checks where a Pod prefers or requires to run.
 *
 * @param affinity - the rules
 * @param path - their path
 * @returns the errors
 */
export function affinityErrors(affinity: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const nodes = fieldsOf(affinity.nodeAffinity);
  const nodePath = `${path}.nodeAffinity`;
  if (isSet(nodes[requiredRules])) {
    errors.push(...nodeSelectorErrors(fieldsOf(nodes[requiredRules]), `${nodePath}.${requiredRules}`));
  }
  for (const [index, term] of objectsOf(nodes[preferredRules]).entries()) {
    const at = `${nodePath}.${preferredRules}[${index}]`;
    errors.push(...weightErrors(term.weight, at));
    errors.push(...termErrors(fieldsOf(term.preference), `${at}.preference`, false));
  }
  for (const kind of ["podAffinity", "podAntiAffinity"]) {
    const rules = fieldsOf(affinity[kind]);
    for (const [index, term] of objectsOf(rules[requiredRules]).entries()) {
      errors.push(...podTermErrors(term, `${path}.${kind}.${requiredRules}[${index}]`));
    }
    for (const [index, term] of objectsOf(rules[preferredRules]).entries()) {
      const at = `${path}.${kind}.${preferredRules}[${index}]`;
      errors.push(...weightErrors(term.weight, at));
      errors.push(...podTermErrors(fieldsOf(term.podAffinityTerm), `${at}.podAffinityTerm`));
    }
  }
  return errors;
}

/**
 * Checks how Pods are spread.
 *
 * @param constraints - the constraints
 * @param path - their path
 * @returns the errors
 */
export function spreadErrors(constraints: readonly JsonObject[], path: string): FieldError[] {
  const pairs = constraints.map((one) => `{${textOf(one.topologyKey)}, ${textOf(one.whenUnsatisfiable)}}`);
  const policies = ["Honor", "Ignore"];
  return constraints.flatMap((constraint, index) => {
    const at = `${path}[${index}]`;
    const skew = numberOf(constraint.maxSkew);
    const [key, action] = [textOf(constraint.topologyKey), textOf(constraint.whenUnsatisfiable)];
    const errors: FieldError[] = [];
    if (skew <= 0) errors.push(invalidValue(`${at}.maxSkew`, skew, "must be greater than zero"));
    if (key === "") errors.push(required(`${at}.topologyKey`, "can not be empty"));
    if (action !== "DoNotSchedule" && action !== "ScheduleAnyway") {
      errors.push(notSupported(`${at}.whenUnsatisfiable`, action, ["DoNotSchedule", "ScheduleAnyway"]));
    }
    const pair = pairs[index] as string;
    if (pairs.indexOf(pair, index + 1) >= 0) {
      errors.push(duplicateValue(`${at}.{topologyKey, whenUnsatisfiable}`, pair));
    }
    const domains = constraint.minDomains;
    if (isSet(domains)) {
      if (numberOf(domains) <= 0) errors.push(invalidValue(`${at}.minDomains`, domains, "must be greater than zero"));
      if (action !== "DoNotSchedule") {
        const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
        errors.push(invalidValue(`${at}.minDomains`, domains, detail));
      }
    }
    errors.push(...optionalOneOf(constraint.nodeAffinityPolicy, `${at}.nodeAffinityPolicy`, policies));
    errors.push(...optionalOneOf(constraint.nodeTaintsPolicy, `${at}.nodeTaintsPolicy`, policies));
    errors.push(...labelKeyErrors(constraint, at));
    return [...errors, ...validateLabelSelector(constraint.labelSelector, `${at}.labelSelector`)];
  });
}
