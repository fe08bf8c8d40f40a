import { byteLength, isObject, type JsonObject } from "@kubewright/cel/json";
import { duplicateValue, type FieldError, invalidValue, isQualifiedName, required } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { compileJsonPath } from "../../../table/jsonpath.ts";
import { conditionErrors } from "../fields/conditions.ts";
import { fieldsOf, invalidFor, isSet, objectsOf, optionalOneOf, textOf } from "../fields/fields.ts";
import { expressionErrors, type Variables } from "./expressions.ts";
import { policyConditionErrors, policyErrors, policyVariableErrors, specOf } from "./policy-spec.ts";

const reasons = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const maximumAnnotations = 20;
const longestAnnotationExpression = 5 * 1024;

/** The rules of validating policies. */
export const validatingAdmissionPolicy: Strategy = {
  validate: (policy) => specErrors(policy, undefined),
  validateUpdate: (policy, old, { subresource }) =>
    subresource === "status" ? statusErrors(fieldsOf(policy.status)) : specErrors(policy, specOf(old)),
};

function specErrors(policy: ApiObject, old: JsonObject | undefined): FieldError[] {
  const spec = specOf(policy);
  const params = isSet(spec.paramKind);
  const declared: Variables = [];
  const errors = [...policyErrors(spec), ...policyConditionErrors(spec, old), ...policyVariableErrors(spec, declared)];
  // Expressions of a policy without variables can't refer to `variables` at all.
  const variables = objectsOf(spec.variables).length === 0 ? undefined : declared;
  const [validations, annotations] = [objectsOf(spec.validations), objectsOf(spec.auditAnnotations)];
  if (validations.length === 0 && annotations.length === 0) {
    const detail = "validations or auditAnnotations must contain at least one item";
    return [...errors, required("spec.validations", detail), required("spec.auditAnnotations", detail)];
  }
  for (const [index, validation] of validations.entries()) {
    errors.push(...validationErrors(validation, `spec.validations[${index}]`, { params, variables }));
  }
  if (annotations.length > maximumAnnotations) {
    const detail = `must not have more than ${maximumAnnotations} auditAnnotations`;
    errors.push(invalidValue("spec.auditAnnotations", annotations, detail));
  }
  const keys = new Set<string>();
  for (const [index, annotation] of annotations.entries()) {
    const path = `spec.auditAnnotations[${index}]`;
    const key = textOf(annotation.key);
    errors.push(...annotationErrors(annotation, policy.metadata.name ?? "", path, { params, variables }));
    if (keys.has(key)) errors.push(duplicateValue(`${path}.key`, key));
    keys.add(key);
  }
  return errors;
}

interface Environment {
  params: boolean;
  variables: Variables | undefined;
}

function validationErrors(validation: JsonObject, path: string, environment: Environment): FieldError[] {
  const { expression, message, messageExpression, reason } = validation;
  const [text, messageText] = [textOf(expression), textOf(messageExpression)];
  const messagePath = `${path}.messageExpression`;
  const withoutAuthorizer = { ...environment, authorizer: false };
  return [
    ...(text.trim() === ""
      ? [required(`${path}.expression`, "expression is not specified")]
      : expressionErrors(text, `${path}.expression`, environment, ["bool"])),
    ...(messageText.trim() === ""
      ? notOnlySpace(messageText, messagePath)
      : expressionErrors(messageText, messagePath, withoutAuthorizer, ["string"])),
    ...messageErrors(textOf(message), `${path}.message`),
    ...optionalOneOf(reason, `${path}.reason`, reasons),
  ];
}

function notOnlySpace(text: string, path: string): FieldError[] {
  return text === "" ? [] : [invalidValue(path, text, "must be non-empty if specified")];
}

function messageErrors(message: string, path: string): FieldError[] {
  if (message.trim() === "") return notOnlySpace(message, path);
  return /[\n\r]/.test(message.trim()) ? [invalidValue(path, message, "must not contain line breaks")] : [];
}

function annotationErrors(
  annotation: JsonObject,
  policy: string,
  path: string,
  environment: Environment,
): FieldError[] {
  const name = `${policy}/${textOf(annotation.key)}`;
  const errors = invalidFor(`${path}.key`, name, isQualifiedName(name));
  const shown = textOf(annotation.valueExpression);
  const text = shown.trim();
  const valuePath = `${path}.valueExpression`;
  if (text === "") return [...errors, required(valuePath, "valueExpression is not specified")];
  if (byteLength(text) > longestAnnotationExpression) {
    return [...errors, required(valuePath, `must not exceed ${longestAnnotationExpression} bytes in length`)];
  }
  return [...errors, ...expressionErrors(text, valuePath, environment, ["string", "null_type"], shown)];
}

function statusErrors(status: JsonObject): FieldError[] {
  const checking = isObject(status.typeChecking) ? status.typeChecking : {};
  const warnings = objectsOf(checking.expressionWarnings).flatMap((warning, index) => {
    const path = `status.typeChecking.expressionWarnings[${index}]`;
    const missing = textOf(warning.warning) === "" ? [required(`${path}.warning`, "")] : [];
    return [...missing, ...fieldRefErrors(textOf(warning.fieldRef).trim(), `${path}.fieldRef`)];
  });
  return [...warnings, ...conditionErrors(objectsOf(status.conditions), "status.conditions")];
}

function fieldRefErrors(reference: string, path: string): FieldError[] {
  if (reference === "") return [required(path, "")];
  try {
    compileJsonPath(reference);
    return [];
  } catch (error) {
    return [invalidValue(path, reference, `invalid JSONPath: ${(error as Error).message}`)];
  }
}
