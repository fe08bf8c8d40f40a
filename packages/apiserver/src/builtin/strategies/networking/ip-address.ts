import type { JsonObject } from "@kubewright/cel/json";
import { type FieldError, isDNS1123Subdomain, isPathSegment, required } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { canonicalAddressErrors } from "../core/addresses.ts";
import { declared, declaredImmutable, fieldsOf, isSet, optionalName, requiredText, textOf } from "../fields/fields.ts";

const path = "spec.parentRef";

/** The rules of IPAddresses: they are named after the address, and belong to the same object forever. */
export const ipAddress: Strategy = {
  nameProblems: (name) => canonicalAddressErrors(name, "").map(({ detail }) => detail),
  validate: parentErrors,
  validateUpdate: (object, old) => [
    ...parentErrors(object),
    ...declaredImmutable(parentOf(object), parentOf(old), path),
  ],
};

function parentOf(object: ApiObject): JsonObject[string] | undefined {
  return fieldsOf(object.spec).parentRef;
}

function parentErrors(object: ApiObject): FieldError[] {
  if (!isSet(parentOf(object))) return [required(path, "")];
  const parent = fieldsOf(parentOf(object));
  const segment = (text: string): string[] => isPathSegment(text, false);
  return [
    ...optionalName(parent.group, `${path}.group`, isDNS1123Subdomain),
    ...["resource", "name"].flatMap((name) =>
      textOf(parent[name]) === ""
        ? declared([required(`${path}.${name}`, "")])
        : requiredText(parent[name], `${path}.${name}`, segment),
    ),
    ...optionalName(parent.namespace, `${path}.namespace`, segment),
  ];
}
