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

/** What is wrong with one field, as API servers say it: a cause of a 422. */
export interface FieldError extends StatusCause {
  reason: FieldErrorType;
  field: string;
  message: string;
}

// What Go prints for a path that leads nowhere.
export const NO_FIELD = "<nil>";

/** A value that isn't shown, in place of one that is. */
export const NO_VALUE: unique symbol = Symbol("no value");

/** An error in the words of API servers: `<what>: <value>: <detail>`. */
export function fieldError(reason: FieldErrorType, field: string, value: unknown, detail = ""): FieldError {
  const shown = value === NO_VALUE ? "" : `: ${goValue(value)}`;
  return { reason, field, message: `${TITLES[reason]}${shown}${detail === "" ? "" : `: ${detail}`}` };
}

/** A value as Go prints it in errors. */
function goValue(value: unknown): string {
  return typeof value === "number" ? goNumber(value) : goJson(value);
}

/** A number as Go's `%v` has it. */
export function goNumber(value: number | bigint): string {
  return String(value)
    .replace(/e-(\d)$/, "e-0$1")
    .replace(/^(-?)0\.0000(0*)(\d)(\d*)$/, (_all, sign, zeros: string, first, rest) => {
      const exponent = String(zeros.length + 5).padStart(2, "0");
      return `${sign}${first}${rest === "" ? "" : `.${rest}`}e-${exponent}`;
    });
}

/** JSON as Go writes it: keys in order, and without the characters that could end a script. */
export function goJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === "bigint") return Number(inner);
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
  if (typeof value === "string") return text;
  return text.replaceAll(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}
