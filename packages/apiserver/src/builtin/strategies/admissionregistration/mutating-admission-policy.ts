import type { JsonObject } from "@kubewright/cel/json";
import { type FieldError, invalidValue, notSupported, required } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { fieldsOf, isSet, objectsOf, oneOf, requiredText, textOf } from "../fields/fields.ts";
import { reinvocationPolicies } from "./enumerations.ts";
import { expressionErrors, type Variables } from "./expressions.ts";
import { mutatingOperationErrors } from "./match-resources.ts";
import { policyConditionErrors, policyErrors, policyVariableErrors, specOf } from "./policy-spec.ts";

/** The fields of the patch types, with the types of their expressions' results. */
const patches = {
  ApplyConfiguration: { field: "applyConfiguration", result: "Object" },
  JSONPatch: { field: "jsonPatch", result: "list(JSONPatch)" },
} as const;
type PatchType = keyof typeof patches;
const patchTypes = Object.keys(patches) as PatchType[];

/** The rules of mutating policies. */
export const mutatingAdmissionPolicy: Strategy = {
  validate: (policy) => specErrors(policy, undefined),
  validateUpdate: (policy, old) => specErrors(policy, specOf(old)),
};

function specErrors(policy: ApiObject, old: JsonObject | undefined): FieldError[] {
  const spec = specOf(policy);
  const variables: Variables = [];
  const mutations = objectsOf(spec.mutations);
  const environment = { params: isSet(spec.paramKind), patchTypes: true, variables };
  const { reinvocationPolicy } = spec;
  return [
    ...policyErrors(spec),
    ...mutatingOperationErrors(spec.matchConstraints, "spec.matchConstraints"),
    ...policyConditionErrors(spec, old),
    ...policyVariableErrors(spec, variables),
    ...(mutations.length === 0 ? [required("spec.mutations", "mutations must contain at least one item")] : []),
    ...mutations.flatMap((mutation, index) => mutationErrors(mutation, `spec.mutations[${index}]`, environment)),
    ...(textOf(reinvocationPolicy) === ""
      ? requiredText(reinvocationPolicy, "spec.reinvocationPolicy")
      : oneOf(reinvocationPolicy, "spec.reinvocationPolicy", reinvocationPolicies)),
  ];
}

interface Environment {
  params: boolean;
  patchTypes: boolean;
  variables: Variables;
}

function mutationErrors(mutation: JsonObject, path: string, environment: Environment): FieldError[] {
  const type = textOf(mutation.patchType);
  if (type === "") return [required(`${path}.patchType`, "")];
  const patchType = patchTypes.find((candidate) => candidate === type);
  if (patchType === undefined) return [notSupported(`${path}.patchType`, type, patchTypes)];
  const { field, result } = patches[patchType];
  const other = field === "jsonPatch" ? "applyConfiguration" : "jsonPatch";
  const errors = isSet(mutation[field])
    ? patchErrors(fieldsOf(mutation[field]), `${path}.${field}.expression`, environment, result)
    : [required(`${path}.${field}`, `must be specified when patchType is ${patchType}`)];
  if (!isSet(mutation[other])) return errors;
  const detail = `must not be specified when patchType is ${patchType}`;
  return [...errors, invalidValue(`${path}.${other}`, `{${other}}`, detail)];
}

function patchErrors(patch: JsonObject, path: string, environment: Environment, result: string): FieldError[] {
  const expression = textOf(patch.expression).trim();
  return expression === "" ? [required(path, "")] : expressionErrors(expression, path, environment, [result]);
}
