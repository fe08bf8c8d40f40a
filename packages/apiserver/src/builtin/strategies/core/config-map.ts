import { equalJson, type JsonObject } from "@kubewright/cel/json";
import { type FieldError, forbiddenValue, invalidValue, isConfigMapKey, tooLong } from "@kubewright/cel/validation";
import type { ApiObject, Strategy } from "../../../model/resource.ts";

/** The limit for the data of ConfigMaps and Secrets, in bytes. */
export const maxDataBytes: number = 1024 * 1024;

/** The path of the object itself, in the form of a list without an index. */
const wholeObject = "[]";

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const data = (object.data ?? {}) as JsonObject;
  const binary = (object.binaryData ?? {}) as JsonObject;
  let size = 0;
  for (const key of Object.keys(data).sort()) {
    for (const problem of isConfigMapKey(key)) errors.push(invalidValue(`data[${key}]`, key, problem));
    if (Object.hasOwn(binary, key)) {
      errors.push(invalidValue(`data[${key}]`, key, "duplicate of key present in binaryData"));
    }
    size += Buffer.byteLength(data[key] as string);
  }
  for (const key of Object.keys(binary).sort()) {
    for (const problem of isConfigMapKey(key)) errors.push(invalidValue(`binaryData[${key}]`, key, problem));
    size += Buffer.byteLength(binary[key] as string, "base64");
  }
  if (size > maxDataBytes) errors.push(tooLong(wholeObject, maxDataBytes));
  return errors;
}

/**
 * Checks that an immutable ConfigMap or Secret stays as it is.
 *
 * @param object - the new state
 * @param old - the present state
 * @param fields - the fields that can't change
 * @returns the errors
 */
export function immutableErrors(object: ApiObject, old: ApiObject, fields: readonly string[]): FieldError[] {
  if (old.immutable !== true) return [];
  const detail = "field is immutable when `immutable` is set";
  const changed = fields.filter((field) => !equalJson(object[field] ?? {}, old[field] ?? {}));
  const names = [...(object.immutable === true ? [] : ["immutable"]), ...changed];
  return names.map((field) => forbiddenValue(field, detail));
}

/** The rules of ConfigMaps. */
export const configMap: Strategy = {
  validate,
  validateUpdate: (object, old) => [...immutableErrors(object, old, ["data", "binaryData"]), ...validate(object)],
};
