import { equalJson, isObject, type JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  invalidValue,
  isDNS1035Label,
  isDNS1123Subdomain,
  required,
} from "@kubewright/cel/validation";
import type { ApiObject } from "../../../model/resource.ts";
import { fieldsOf, isSet, objectsOf, oneOf, requiredText, textOf } from "../fields/fields.ts";
import { failurePolicies } from "./enumerations.ts";
import { type Variables, variableErrors } from "./expressions.ts";
import { matchConditionErrors } from "./match-conditions.ts";
import { matchResourceErrors } from "./match-resources.ts";

const reserved = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

/**
 * Checks the fields that validating and mutating policies have in common before their match conditions.
 *
 * @param spec - the policy's specification
 * @returns the errors
 */
export function policyErrors(spec: JsonObject): FieldError[] {
  const { failurePolicy, paramKind, matchConstraints } = spec;
  const withoutRules = objectsOf(fieldsOf(matchConstraints).resourceRules).length === 0;
  return [
    ...(isSet(failurePolicy)
      ? oneOf(failurePolicy, "spec.failurePolicy", failurePolicies)
      : [required("spec.failurePolicy", "")]),
    ...(isObject(paramKind) ? paramKindErrors(paramKind, "spec.paramKind") : []),
    ...(isSet(matchConstraints)
      ? matchResourceErrors(matchConstraints, "spec.matchConstraints")
      : [required("spec.matchConstraints", "")]),
    ...(isSet(matchConstraints) && withoutRules ? [required("spec.matchConstraints.resourceRules", "")] : []),
  ];
}

function paramKindErrors(kind: JsonObject, path: string): FieldError[] {
  return [
    ...apiVersionErrors(textOf(kind.apiVersion), `${path}.apiVersion`),
    ...requiredText(kind.kind, `${path}.kind`, (name) => {
      const problems = isDNS1035Label(name.toLowerCase()).join(",");
      return problems === "" ? [] : [`may have mixed case, but should otherwise match: ${problems}`];
    }),
  ];
}

function apiVersionErrors(apiVersion: string, path: string): FieldError[] {
  if (apiVersion === "") return [required(path, "")];
  const parts = apiVersion === "/" ? [""] : apiVersion.split("/");
  if (parts.length > 2) return [invalidValue(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const [group = "", version = ""] = parts.length === 2 ? parts : ["", ...parts];
  const joined = (part: string, problems: readonly string[]): FieldError[] =>
    problems.length === 0 ? [] : [invalidValue(path, part, problems.join(","))];
  return [
    ...(group === "" ? [] : joined(group, isDNS1123Subdomain(group))),
    ...(version === ""
      ? [invalidValue(path, apiVersion, "version must be specified")]
      : joined(version, isDNS1035Label(version))),
  ];
}

/**
 * Checks the match conditions of a policy, unless an update can't have made them invalid.
 *
 * @param spec - the policy's specification
 * @param old - the specification before an update
 * @returns the errors
 */
export function policyConditionErrors(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const same = (key: string): boolean => equalJson(spec[key] ?? null, old?.[key] ?? null);
  if (old !== undefined && same("paramKind") && same("matchConditions")) return [];
  return matchConditionErrors(spec.matchConditions, "spec.matchConditions", { params: isSet(spec.paramKind) });
}

/**
 * Checks the variables of a policy.
 *
 * @param spec - the policy's specification
 * @param variables - receives the variables, for later expressions
 * @returns the errors
 */
export function policyVariableErrors(spec: JsonObject, variables: Variables): FieldError[] {
  return objectsOf(spec.variables).flatMap((variable, index) => {
    const path = `spec.variables[${index}]`;
    const [name, expression] = [textOf(variable.name), textOf(variable.expression)];
    const errors = variableNameErrors(name, `${path}.name`);
    if (expression.trim() === "") return [...errors, required(`${path}.expression`, "expression is not specified")];
    const params = isSet(spec.paramKind);
    return [...errors, ...variableErrors(name, expression, `${path}.expression`, params, variables)];
  });
}

function variableNameErrors(name: string, path: string): FieldError[] {
  if (name.trim() === "") return [required(path, "name is not specified")];
  if (/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !reserved.has(name)) return [];
  return [invalidValue(path, name, "must be a valid CEL identifier")];
}

/** Returns the specification of a policy or binding. */
export function specOf(object: ApiObject): JsonObject {
  return fieldsOf(object.spec);
}
