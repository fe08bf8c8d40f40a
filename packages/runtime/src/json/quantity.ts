import {
  addQuantities as add,
  compareQuantities as compare,
  formatQuantity,
  multiplyQuantity as multiply,
  negateQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantityToNumber as toNumber,
} from "@kubewright/cel/quantity";

/** Parses a quantity such as `500m`, `1.5Gi` or `2e3`. Returns `undefined` for invalid ones. */
export function quantityOf(quantity: string | number | bigint): Quantity | undefined {
  try {
    return parseQuantity(String(quantity));
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}

/**
 * Compares two quantities by value.
 *
 * @param a - a quantity, such as `500m` or `1.5Gi`
 * @param b - another quantity
 * @returns a negative number if `a` is smaller, 0 if they are equal, a positive number if `a` is larger
 * @throws TypeError if one isn't a valid quantity
 *
 * @example
 * compareQuantities("1000m", 1); // 0
 * compareQuantities("1Gi", "1G"); // 1
 */
export function compareQuantities(a: string | number | bigint, b: string | number | bigint): number {
  return compare(parsed(a), parsed(b));
}

function parsed(quantity: string | number | bigint): Quantity {
  const value = quantityOf(quantity);
  if (value !== undefined) return value;
  throw new TypeError(
    `invalid quantity ${JSON.stringify(String(quantity))}: it must be a number such as 2, 500m or 1.5Gi`,
  );
}

/**
 * Adds quantities. The result has the suffixes of the first one that isn't zero: `Ki`, `Mi` … or `m`, `k`, `M` …
 *
 * @param first - a quantity
 * @param others - further quantities
 * @returns the sum in canonical form
 * @throws TypeError if one isn't a valid quantity
 *
 * @example
 * addQuantities("1Gi", "512Mi"); // "1536Mi"
 */
export function addQuantities(first: string | number | bigint, ...others: (string | number | bigint)[]): string {
  return formatQuantity(others.reduce((total: Quantity, other) => add(total, parsed(other)), parsed(first)));
}

/**
 * Subtracts a quantity. The result has the suffixes of the first, or of the second if the first is zero.
 *
 * @param from - a quantity
 * @param quantity - the quantity to subtract
 * @returns the difference in canonical form
 * @throws TypeError if one isn't a valid quantity
 *
 * @example
 * subtractQuantities("2", "500m"); // "1500m"
 */
export function subtractQuantities(from: string | number | bigint, quantity: string | number | bigint): string {
  return formatQuantity(add(parsed(from), negateQuantity(parsed(quantity))));
}

/**
 * Multiplies a quantity by an integer, for example a number of replicas.
 *
 * @param quantity - a quantity
 * @param by - an integer
 * @returns the product in canonical form
 * @throws TypeError if the first isn't a valid quantity, or the second isn't an integer
 *
 * @example
 * multiplyQuantity("250m", 3); // "750m"
 */
export function multiplyQuantity(quantity: string | number | bigint, by: number | bigint): string {
  if (typeof by === "number" && !Number.isSafeInteger(by)) {
    throw new TypeError(`invalid factor ${by}: it must be an integer`);
  }
  return formatQuantity(multiply(parsed(quantity), BigInt(by)));
}

/**
 * Returns a quantity as a number, in units: cores for CPU, bytes for memory.
 *
 * @param quantity - a quantity
 * @returns the number, which may lose precision
 * @throws TypeError if it isn't a valid quantity
 *
 * @example
 * quantityToNumber("250m"); // 0.25
 */
export function quantityToNumber(quantity: string | number | bigint): number {
  return toNumber(parsed(quantity));
}
