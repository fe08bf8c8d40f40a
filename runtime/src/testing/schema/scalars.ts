import { type FieldError, fieldError, goJson, goNumber, NO_VALUE } from "./field-error.ts";
import { Findings } from "./findings.ts";
import { hasFormat, isKnownFormat } from "./formats.ts";
import { matchesPattern } from "./pattern.ts";
import type { Schema } from "./schema.ts";

type Limit = number | bigint | undefined;

/** Returns the JSON schema type of a value. */
export function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "bigint") return "integer";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** Returns the types that a schema allows. */
function allowedTypes(schema: Schema): string[] {
  if (schema["x-kubernetes-int-or-string"]) return ["integer", "string"];
  return schema.type ? [schema.type] : [];
}

export function typeErrors(value: unknown, schema: Schema, path: string): Findings {
  const findings = new Findings();
  const allowed = allowedTypes(schema);
  const found = typeOf(value);
  const fits =
    allowed.length === 0 ||
    allowed.includes(found) ||
    (found === "null" && schema.nullable === true) ||
    (found === "integer" && allowed.includes("number")) ||
    hasTextFormat(value, schema, allowed);
  if (fits) findings.checks++;
  // If the expected type is an integer with a format, servers use format names for both types.
  else if (found === "number" && schema.format) findings.add(wrongType(path, schema.format, "float64"));
  else findings.add(wrongType(path, allowed.join(","), found));
  return findings;
}

// Servers check only the format of a string that has one, unless the schema also allows numbers.
function hasTextFormat(value: unknown, { format }: Schema, allowed: readonly string[]): boolean {
  if (typeof value !== "string" || !format || !isKnownFormat(format)) return false;
  return !allowed.includes("number") && !allowed.includes("integer") && allowed.includes("string");
}

function wrongType(path: string, wanted: string, found: string): FieldError {
  const message = `${path} in body must be of type ${wanted}: ${goJson(found)}`;
  return fieldError("FieldValueTypeInvalid", path, found, message);
}

export function enumErrors(value: unknown, schema: Schema, path: string): Findings {
  const findings = new Findings();
  const values = schema.enum ?? [];
  const text = goJson(value);
  if (values.length === 0 || (value !== null && values.some((allowed) => goJson(allowed) === text))) return findings;
  const names = values.map((allowed) => JSON.stringify(typeof allowed === "string" ? allowed : goJson(allowed)));
  findings.add(fieldError("FieldValueNotSupported", path, value, `supported values: ${names.join(", ")}`));
  return findings;
}

export function textErrors(text: string, schema: Schema, path: string): Findings {
  const findings = new Findings();
  const { maxLength, minLength, pattern } = schema;
  const length = [...text].length;
  if (isMore(length, maxLength)) findings.add(tooLong(path, maxLength));
  else if (isLess(length, minLength)) {
    findings.add(invalid(path, text, `should be at least ${minLength} chars long`));
  } else if (pattern && !matchesPattern(pattern, text)) findings.add(invalid(path, text, `should match '${pattern}'`));
  return findings;
}

export function formatErrors(text: string, { format, type }: Schema, path: string): Findings {
  const findings = new Findings();
  if (format && (type === "string" || type === undefined) && !hasFormat(format, text)) {
    const message = `${path} in body must be of type ${format}: ${goJson(text)}`;
    findings.add(fieldError("FieldValueTypeInvalid", path, text, message));
  }
  return findings;
}

export function numberErrors(value: number | bigint, schema: Schema, path: string): Findings {
  const findings = new Findings();
  const { minimum, maximum, multipleOf, exclusiveMinimum = false, exclusiveMaximum = false } = schema;
  const whole = typeOf(value) === "integer";
  const range = rangeOf(schema);
  if (range && (value < range.least || value > range.most || (schema.type === "integer" && !whole))) {
    const text = `Checked value must be of type ${schema.type} with format ${schema.format} in ${path}`;
    findings.add(fieldError("FieldValueInvalid", "<nil>", "", text));
  }
  const bad = (what: string): void => findings.add(invalid(path, value, what));
  // Servers truncate limits when they compare integers.
  const limit = (number: number | bigint): number | bigint => (whole ? Math.trunc(Number(number)) : number);
  if (multipleOf !== undefined && !isMultiple(Number(value), Number(multipleOf))) {
    bad(`should be a multiple of ${goNumber(multipleOf)}`);
  }
  if (maximum !== undefined && (value > limit(maximum) || (exclusiveMaximum && value >= limit(maximum)))) {
    bad(`should be less than${exclusiveMaximum ? "" : " or equal to"} ${goNumber(limit(maximum))}`);
  }
  if (minimum !== undefined && (value < limit(minimum) || (exclusiveMinimum && value <= limit(minimum)))) {
    bad(`should be greater than${exclusiveMinimum ? "" : " or equal to"} ${goNumber(limit(minimum))}`);
  }
  findings.checks++;
  return findings;
}

function rangeOf({ type, format }: Schema): { least: number | bigint; most: number | bigint } | undefined {
  if (type === "number" && format === "float") return { least: -3.4028235677973366e38, most: 3.4028235677973366e38 };
  if (type !== "integer") return undefined;
  const bits = format === "int32" ? 31n : 63n;
  return { least: -(2n ** bits), most: 2n ** bits - 1n };
}

function isMultiple(value: number, factor: number): boolean {
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  const nearest = Math.round(quotient);
  return Math.abs(quotient - nearest) <= Math.max(1, Math.abs(quotient)) * 1e-9;
}

/** Checks a number of items or properties against its limits. */
export function sizeErrors(
  size: number,
  least: Limit,
  most: Limit,
  what: "items" | "properties",
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (isLess(size, least)) {
    errors.push(invalid(path, size, `should have at least ${least} ${what}`));
  }
  if (isMore(size, most)) {
    const text = `must have at most ${most} item${Number(most) === 1 ? "" : "s"}`;
    errors.push(fieldError("FieldValueTooMany", path, size, text));
  }
  return errors;
}

function tooLong(path: string, most: Limit): FieldError {
  const bytes = Number(most) === 1 ? "byte" : "bytes";
  return fieldError("FieldValueTooLong", path, NO_VALUE, `may not be more than ${most} ${bytes}`);
}

function invalid(path: string, value: unknown, what: string): FieldError {
  return fieldError("FieldValueInvalid", path, value, `${path} in body ${what}`);
}

function isMore(size: number, most: Limit): boolean {
  return most !== undefined && size > most;
}

function isLess(size: number, least: Limit): boolean {
  return least !== undefined && size < least;
}
