import type { Json } from "../../json/json.ts";
import type { FieldError } from "../../request/field-error.ts";

/** @returns the error for a field that must be set */
export function required(field: string, detail = ""): FieldError {
  return { type: "FieldValueRequired", field, detail };
}

/** @returns the error for a value that breaks a rule */
export function invalidValue(field: string, value: Json | undefined, detail: string): FieldError {
  return { type: "FieldValueInvalid", field, value, detail };
}

/** @returns the error for a field that can't be set here */
export function forbiddenField(field: string, detail: string): FieldError {
  return { type: "FieldValueForbidden", field, detail };
}

/** @returns the error for a value that occurs twice in a list */
export function duplicate(field: string, value: Json | undefined): FieldError {
  return { type: "FieldValueDuplicate", field, value, detail: "" };
}

/** @returns the error for a value that isn't in a closed list */
export function notSupported(field: string, value: Json | undefined, supported: readonly string[]): FieldError {
  const detail =
    supported.length === 0 ? "" : `supported values: ${supported.map((one) => JSON.stringify(one)).join(", ")}`;
  return { type: "FieldValueNotSupported", field, value, detail };
}

/** @returns the error for a text or map that is too long */
export function tooLong(field: string, limit: number): FieldError {
  return { type: "FieldValueTooLong", field, detail: `may not be more than ${limit} bytes` };
}
