import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isPathSegment,
  nameIsDNSSubdomain,
  notSupported,
  required,
} from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { validateLabelSelector } from "../../../validation/label-selector.ts";
import { invalidFor, isSet, oneOf, requiredText, textOf, textsOf } from "../fields/fields.ts";
import { matchResourceErrors, mutatingOperationErrors } from "./match-resources.ts";
import { specOf } from "./policy-spec.ts";

const validationActions = ["Audit", "Deny", "Warn"];

/** The rules of bindings of validating policies. */
export const validatingAdmissionPolicyBinding: Strategy = strategyOf((spec) => [
  ...bindingErrors(spec),
  ...actionErrors(textsOf(spec.validationActions), "spec.validationActions"),
]);

/** The rules of bindings of mutating policies. */
export const mutatingAdmissionPolicyBinding: Strategy = strategyOf((spec) => [
  ...bindingErrors(spec),
  ...mutatingOperationErrors(spec.matchResources, "spec.matchResources"),
]);

function strategyOf(specErrors: (spec: JsonObject) => FieldError[]): Strategy {
  const errors = (binding: ApiObject): FieldError[] => specErrors(specOf(binding));
  return { validate: errors, validateUpdate: errors };
}

function bindingErrors(spec: JsonObject): FieldError[] {
  return [
    ...requiredText(spec.policyName, "spec.policyName", (name) => nameIsDNSSubdomain(name, false)),
    ...paramRefErrors(spec.paramRef, "spec.paramRef"),
    ...matchResourceErrors(spec.matchResources, "spec.matchResources"),
  ];
}

function paramRefErrors(reference: Json | undefined, path: string): FieldError[] {
  if (!isObject(reference)) return [];
  const name = textOf(reference.name);
  const hasSelector = isSet(reference.selector);
  const exclusive = (key: string): FieldError[] =>
    name !== "" && hasSelector ? [forbiddenValue(`${path}.${key}`, "name and selector are mutually exclusive")] : [];
  const neither = name === "" && !hasSelector;
  return [
    ...invalidFor(`${path}.name`, name, isPathSegment(name, false)),
    ...exclusive("name"),
    ...validateLabelSelector(reference.selector, `${path}.selector`),
    ...exclusive("selector"),
    ...(neither ? [required(path, "one of name or selector must be specified")] : []),
    ...(textOf(reference.parameterNotFoundAction) === ""
      ? [required(`${path}.parameterNotFoundAction`, "")]
      : oneOf(reference.parameterNotFoundAction, `${path}.parameterNotFoundAction`, ["Deny", "Allow"])),
  ];
}

function actionErrors(actions: readonly string[], path: string): FieldError[] {
  const errors = actions.flatMap((action, index) => {
    const at = `${path}[${index}]`;
    const unknown = validationActions.includes(action) ? [] : [notSupported(at, action, validationActions)];
    return [...unknown, ...(actions.indexOf(action) < index ? [duplicateValue(at, action)] : [])];
  });
  if (actions.includes("Deny") && actions.includes("Warn")) {
    const detail =
      "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
    errors.push(invalidValue(path, [...actions], detail));
  }
  if (actions.length === 0) errors.push(required(path, ""));
  return errors;
}
