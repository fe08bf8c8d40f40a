import { goQuote } from "../json/go-text.ts";
import type { Json } from "../json/json.ts";
import { encodeJson, goFloat, goNumber } from "../json/values.ts";

/** The types of errors of fields, as in `k8s.io/apimachinery/pkg/util/validation/field`. */
export type FieldErrorType =
  | "FieldValueNotFound"
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueTypeInvalid"
  | "InternalError";

/** An error of one field of an object. The API server joins errors to the Status of an Invalid object. */
export interface FieldError {
  type: FieldErrorType;
  /** The path, for example `spec.containers[0].name`; empty for the object itself, printed as `<nil>`. */
  field: string;
  /** The rejected value. `undefined` if the message has none (Required, Forbidden, TooLong …). */
  value?: Json;
  /** True for a number that the server has as a float, although it is whole. */
  float?: boolean;
  /** Whether a declarative rule of a built-in kind reports it. These errors come last. */
  declared?: true;
  detail: string;
}

const titles: Record<FieldErrorType, string> = {
  FieldValueNotFound: "Not found",
  FieldValueRequired: "Required value",
  FieldValueDuplicate: "Duplicate value",
  FieldValueInvalid: "Invalid value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueForbidden: "Forbidden",
  FieldValueTooLong: "Too long",
  FieldValueTooMany: "Too many",
  FieldValueTypeInvalid: "Invalid value",
  InternalError: "Internal error",
};

const withoutValue = new Set<FieldErrorType>([
  "FieldValueRequired",
  "FieldValueForbidden",
  "FieldValueTooLong",
  "InternalError",
]);

/**
 * Formats the part of an error after its field: type, value and detail.
 *
 * @param error - the error
 * @returns for example `Invalid value: 0: must be greater than 1`
 */
export function errorBody(error: FieldError): string {
  const title = titles[error.type];
  const value = error.float ? goFloat(Number(error.value)) : goValue(error.value);
  const shown = withoutValue.has(error.type) || error.value === undefined ? title : `${title}: ${value}`;
  return error.detail === "" ? shown : `${shown}: ${error.detail}`;
}

/**
 * Formats an error as kube-apiserver does.
 *
 * @param error - the error
 * @returns for example `spec.min: Invalid value: 0: must be greater than 1`
 */
export function fieldErrorMessage(error: FieldError): string {
  return `${error.field === "" ? "<nil>" : error.field}: ${errorBody(error)}`;
}

/** Formats a value as Go's `%#v` and its JSON form do in errors of fields. */
function goValue(value: Json | undefined): string {
  if (value === undefined || value === null) return "null";
  if (typeof value === "string") return goQuote(value);
  return typeof value === "number" ? goNumber(value) : encodeJson(value);
}
