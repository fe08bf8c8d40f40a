import { goFloat } from "../json/values.ts";
import type { Schema } from "./schema.ts";
import type { ValidationResult } from "./validation-result.ts";

/** Checks a number; an integer of 64 bits is a `bigint`. */
export type NumberCheck = (value: number | bigint, path: string, result: ValidationResult) => void;

/**
 * Compiles the checks of numbers. The limits of a schema are compared as integers if the value is an integer, as in the server.
 *
 * @param schema - the schema
 * @param types - the types of the schema
 * @param format - the supported format; empty for none
 * @returns the check
 */
export function compileNumberCheck(schema: Schema, types: readonly string[], format: string): NumberCheck {
  const type = types.length === 1 && (types[0] === "integer" || types[0] === "number") ? (types[0] as string) : "";
  const fits = rangeOf(type, type === "" ? "" : format);
  const required = format !== "" && type !== "" ? `${type} with format ${format}` : `${type} (default format)`;
  const note = (result: ValidationResult, prefix: string, path: string) =>
    result.add({ kind: "composite", path, message: `${prefix} value must be of type ${required} in ${path}` });
  const { multipleOf, maximum, minimum } = schema;
  return (value, path, result) => {
    if (!fits(value)) note(result, "Checked", path);
    if (multipleOf !== undefined) {
      const native = fits(multipleOf);
      if (!native) note(result, "MultipleOf", path);
      checkMultiple(value, multipleOf, native, path, result);
    }
    if (minimum !== undefined) {
      const native = fits(minimum);
      if (!native) note(result, "Minimum boundary", path);
      checkLimit(value, minimum, native, schema.exclusiveMinimum === true, "greater", path, result);
    }
    if (maximum !== undefined) {
      const native = fits(maximum);
      if (!native) note(result, "Maximum boundary", path);
      checkLimit(value, maximum, native, schema.exclusiveMaximum === true, "less", path, result);
    }
  };
}

const largestFloat = 3.4028235677973366e38;

function rangeOf(type: string, format: string): (value: number | bigint) => boolean {
  if (type === "integer") {
    if (format === "int32") return (value) => isWhole(value) && value >= -(2 ** 31) && value < 2 ** 31;
    return (value) => isWhole(value) && value >= -(2 ** 63) && value < 2 ** 63;
  }
  if (format === "float") return (value) => Math.abs(Number(value)) < largestFloat;
  return () => true;
}

function isWhole(value: number | bigint): boolean {
  return typeof value === "bigint" || Number.isInteger(value);
}

/** @returns true if the server's decoder made an integer of the value */
function isDecodedInteger(value: number | bigint): boolean {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}

function checkMultiple(
  value: number | bigint,
  factor: number,
  native: boolean,
  path: string,
  result: ValidationResult,
): void {
  const integers = native && isDecodedInteger(value);
  const divisor = integers ? Math.trunc(factor) : factor;
  if (divisor <= 0) {
    const message = `factor MultipleOf declared for ${path} must be positive: ${integers ? divisor : goFloat(divisor)}`;
    result.add({ kind: "other", path, message, value: divisor });
    return;
  }
  const number = Number(value);
  const multiple = integers
    ? BigInt(value) % BigInt(divisor) === 0n
    : isIntegral(divisor < 1 ? (1 / divisor) * number : number / divisor);
  if (!multiple) {
    const message = `${path} in body should be a multiple of ${integers ? divisor : goFloat(divisor)}`;
    result.add({ kind: "other", path, message, value: value as number, float: !integers });
  }
}

function checkLimit(
  value: number | bigint,
  bound: number,
  native: boolean,
  exclusive: boolean,
  direction: "greater" | "less",
  path: string,
  result: ValidationResult,
): void {
  const limit = native && isDecodedInteger(value) ? int64Of(bound) : bound;
  const beyond = direction === "greater" ? value < limit : value > limit;
  // biome-ignore lint/suspicious/noDoubleEquals: compares a bigint with a number
  if (!beyond && !(exclusive && value == limit)) return;
  const shown = native && isDecodedInteger(value) ? wholeText(limit) : goFloat(limit);
  const message = `${path} in body should be ${direction} than ${exclusive ? "" : "or equal to "}${shown}`;
  result.add({ kind: "other", path, message, value: value as number, float: !native });
}

/** Converts a float as Go does: one that doesn't fit becomes the smallest integer. */
function int64Of(float: number): number {
  return Math.abs(float) < 2 ** 63 ? Math.trunc(float) : -(2 ** 63);
}

function wholeText(value: number): string {
  return Math.abs(value) < 2 ** 53 ? String(value) : BigInt(value).toString();
}

const largestExact = 2 ** 53 - 1;

/** @returns true if a number counts as an integer, with a tolerance for the last digits of large factors */
export function isIntegral(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > largestExact) return false;
  const whole = Math.trunc(value);
  if (whole === value) return true;
  const difference = Math.abs(value - whole);
  if (whole === 0) return false;
  return difference / (Math.abs(value) + Math.abs(whole)) < 1e-9;
}
