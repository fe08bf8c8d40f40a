import type { StatusCause } from "../../errors/status.ts";

const TITLES = {
  FieldValueRequired: "Required value",
  FieldValueDuplicate: "Duplicate value",
  FieldValueInvalid: "Invalid value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueTooLong: "Too long",
  FieldValueTooMany: "Too many",
  FieldValueTypeInvalid: "Invalid value",
} as const;

export type FieldErrorType = keyof typeof TITLES;

/** An error of one field, in the form of an API server: a cause of a 422. */
export interface FieldError extends StatusCause {
  reason: FieldErrorType;
  field: string;
  message: string;
}

// Go's text for a nil path.
export const NO_FIELD = "<nil>";

/** Value for errors that contain no value. */
export const NO_VALUE: unique symbol = Symbol("no value");

/** Creates an error with an API server's wording: `<what>: <value>: <detail>`. */
export function fieldError(reason: FieldErrorType, field: string, value: unknown, detail = ""): FieldError {
  const shown = value === NO_VALUE ? "" : `: ${goValue(value)}`;
  return { reason, field, message: `${TITLES[reason]}${shown}${detail === "" ? "" : `: ${detail}`}` };
}

/** Formats a value like Go's error messages. */
function goValue(value: unknown): string {
  return typeof value === "number" ? goNumber(value) : goJson(value);
}

/** Formats a number like Go's `%v`. */
export function goNumber(value: number | bigint): string {
  return String(value)
    .replace(/e-(\d)$/, "e-0$1")
    .replace(/^(-?)0\.0000(0*)(\d)(\d*)$/, (_all, sign, zeros: string, first, rest) => {
      const exponent = String(zeros.length + 5).padStart(2, "0");
      return `${sign}${first}${rest === "" ? "" : `.${rest}`}e-${exponent}`;
    });
}

/** Serializes JSON like Go: with sorted keys, and with `<`, `>` and `&` escaped unless the value is a string. */
export function goJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === "bigint") return Number(inner);
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
  if (typeof value === "string") return text;
  return text.replaceAll(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}
