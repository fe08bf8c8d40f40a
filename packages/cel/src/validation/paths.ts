import { goQuote } from "../json/go-text.ts";
import type { Json } from "../json/json.ts";
import type { FieldError } from "./field-error.ts";

/**
 * Appends a field to a path.
 *
 * @param path - the path of the object; empty for the root
 * @param name - the field
 * @returns for example `spec.names`
 */
export function child(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/**
 * Appends a key or an index to a path.
 *
 * @param path - the path of the map or list
 * @param key - the key or the index
 * @returns for example `spec.items[0]`
 */
export function at(path: string, key: string | number): string {
  return `${path}[${key}]`;
}

/** @returns the error for a missing value */
export function required(field: string, detail: string): FieldError {
  return { type: "FieldValueRequired", field, detail };
}

/** @returns the error for a value that breaks a rule */
export function invalidValue(field: string, value: Json | undefined, detail: string): FieldError {
  return { type: "FieldValueInvalid", field, value: value ?? null, detail };
}

/** @returns the error for a value that must not be set */
export function forbiddenValue(field: string, detail: string): FieldError {
  return { type: "FieldValueForbidden", field, detail };
}

/** @returns the error for a value that occurs twice */
export function duplicateValue(field: string, value: Json): FieldError {
  return { type: "FieldValueDuplicate", field, value, detail: "" };
}

/** @returns the error for a value that isn't one of several values */
export function notSupported(field: string, value: Json, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? "" : `supported values: ${supported.map(goQuote).join(", ")}`;
  return { type: "FieldValueNotSupported", field, value, detail };
}

/** @returns the error for a text that is too long */
export function tooLong(field: string, limit: number): FieldError {
  const detail = limit < 0 ? "value is too long" : `may not be more than ${limit} ${limit === 1 ? "byte" : "bytes"}`;
  return { type: "FieldValueTooLong", field, detail };
}

/** @returns the error for a list or map that is too long */
export function tooMany(field: string, actual: number, limit: number): FieldError {
  const detail = limit < 0 ? "has too many items" : `must have at most ${limit} ${limit === 1 ? "item" : "items"}`;
  return { type: "FieldValueTooMany", field, value: actual, detail };
}
