import { equalJson, isObject, type Json } from "@kubewright/cel/json";
import { type FieldError, invalidValue, required } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import { isSet, nonNegative } from "../fields/fields.ts";

function dataErrors(data: Json | undefined): FieldError[] {
  if (!isSet(data)) return [required("data", "data is mandatory")];
  return isObject(data) ? [] : [required("data", "data must be a valid JSON object")];
}

function revisionErrors(object: ApiObject): FieldError[] {
  return nonNegative(object.revision, "revision");
}

/** The rules of ControllerRevisions: their data can't change. */
export const controllerRevision: Strategy = {
  validate: (object) => [...revisionErrors(object), ...dataErrors(object.data)],
  validateUpdate(object, old) {
    const errors = revisionErrors(object);
    if (equalJson(object.data ?? null, old.data ?? null)) return errors;
    return [...errors, invalidValue("data", object.data ?? null, "field is immutable")];
  },
};
