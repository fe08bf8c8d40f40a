import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantityToNumber,
  roundQuantity,
} from "@kubewright/cel/quantity";

const zero = parseQuantity("0");

/**
 * Parses the amount of a resource in an object.
 *
 * @param amount - the text
 * @returns the quantity; zero for texts that aren't quantities, which validation refuses
 */
export function amountOf(amount: string): Quantity {
  try {
    return parseQuantity(amount);
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    return zero;
  }
}

/**
 * Compares two amounts.
 *
 * @param a - for example `1Gi`
 * @param b - another amount
 * @returns -1, 0 or 1
 */
export function compareAmounts(a: string, b: string): -1 | 0 | 1 {
  return compareQuantities(amountOf(a), amountOf(b));
}

/** Returns the sum of two amounts in canonical form. */
export function addAmounts(a: string, b: string): string {
  return formatQuantity(addQuantities(amountOf(a), amountOf(b)));
}

/**
 * Rounds an amount away from zero.
 *
 * @param amount - the amount
 * @param scale - the exponent of the last digit: the default are thousandths, which is the precision of requests and limits
 * @returns the amount in canonical form
 */
export function roundAmount(amount: string, scale = -3): string {
  return formatQuantity(roundQuantity(parseQuantity(amount), scale));
}

/**
 * Converts an amount to a number.
 *
 * @param amount - the amount
 * @param unit - the power of ten that the number counts: -3 for thousandths
 * @returns the nearest number
 */
export function amountToNumber(amount: string, unit = 0): number {
  return quantityToNumber(amountOf(amount), unit);
}
