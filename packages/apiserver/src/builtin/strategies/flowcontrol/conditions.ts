import { duplicateValue, type FieldError, required } from "@kubewright/cel/validation";
import type { ApiObject } from "../../../model/resource.ts";
import { fieldsOf, objectsOf, textOf } from "../fields/fields.ts";

/** Checks that the conditions of a status have types, each only once. */
export function conditionTypeErrors(object: ApiObject): FieldError[] {
  const types = objectsOf(fieldsOf(object.status).conditions).map(({ type }) => textOf(type));
  return types.flatMap((type, index) => {
    const path = `status.conditions[${index}].type`;
    const again = types.indexOf(type) < index ? [duplicateValue(path, type)] : [];
    return [...again, ...(type === "" ? [required(path, "")] : [])];
  });
}
