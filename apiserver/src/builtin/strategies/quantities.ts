import type { Json } from "../../json/json.ts";
import { type FieldError, goQuote } from "../../request/field-error.ts";
import { invalidValue } from "../../request/paths.ts";
import { parseQuantity } from "../../validation/quantity.ts";
import { textOf } from "./fields.ts";

const places = 9;

/** @returns the billionths of a quantity */
function billionths(quantity: Json | undefined): bigint {
  const { value, scale } = parseQuantity(textOf(quantity) || "0");
  return scale >= -places ? value * 10n ** BigInt(scale + places) : value / 10n ** BigInt(-places - scale);
}

/** @returns a negative number, 0 or a positive number, as the first quantity is less, equal or greater */
export function compareQuantities(first: Json | undefined, second: Json | undefined): number {
  const difference = billionths(first) - billionths(second);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** @returns the value of a quantity as a number, which may be inexact */
export function quantityValue(quantity: Json | undefined): number {
  return Number(billionths(quantity)) / 1e9;
}

/** Reports whether a quantity is a whole number. */
export function isWhole(quantity: Json | undefined): boolean {
  // The server rounds to thousandths first, away from zero.
  return billionths(quantity) % 10n ** BigInt(places) === 0n;
}

/** Checks that a quantity isn't negative. */
export function nonNegativeQuantity(quantity: Json | undefined, path: string): FieldError[] {
  if (billionths(quantity) >= 0n) return [];
  return [invalidValue(path, quantity, "must be greater than or equal to 0")];
}

/** Warns about a number of bytes that has a fraction. */
export function fractionWarnings(quantity: Json | undefined, path: string): string[] {
  if (quantity === undefined || isWhole(quantity)) return [];
  return [`${path}: fractional byte value ${goQuote(textOf(quantity))} is invalid, must be an integer`];
}

/** Checks that a quantity is greater than 0. */
export function positiveQuantity(quantity: Json | undefined, path: string): FieldError[] {
  return compareQuantities(quantity, "0") > 0 ? [] : [invalidValue(path, quantity, "must be greater than zero")];
}
