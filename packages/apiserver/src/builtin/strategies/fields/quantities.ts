import { goQuote, type Json } from "@kubewright/cel/json";
import { type FieldError, invalidValue } from "@kubewright/cel/validation";
import { amountToNumber, compareAmounts, roundAmount } from "../../../validation/amounts.ts";
import { textOf } from "./fields.ts";

/** Returns a negative number, 0 or a positive number, as the first quantity is less, equal or greater. */
export function compareQuantities(first: Json | undefined, second: Json | undefined): number {
  return compareAmounts(textOf(first) || "0", textOf(second) || "0");
}

/** Returns the value of a quantity as a number, which may be inexact. */
export function quantityValue(quantity: Json | undefined): number {
  return amountToNumber(textOf(quantity) || "0");
}

/** Reports whether a quantity is a whole number. */
export function isWhole(quantity: Json | undefined): boolean {
  const text = textOf(quantity) || "0";
  return compareAmounts(text, roundAmount(text, 0)) === 0;
}

/** Checks that a quantity isn't negative. */
export function nonNegativeQuantity(quantity: Json | undefined, path: string): FieldError[] {
  if (compareQuantities(quantity, "0") >= 0) return [];
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
