// Powers of ten by Go's suffixes. The other suffixes are powers of 1024.
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
/** Decimal suffixes from billionths upward, in steps of one thousand. */
const SUFFIXES = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const SHAPE = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))([numkMGTPE]?|[KMGTPE]i|[eE][+-]?\d+)$/;
/** Maximum number of digits and maximum exponent. Longer ones would only use CPU time. */
const longest = 1000;
/** The largest value that API servers store. Larger ones are reduced to it. */
const largest = (2n ** 63n - 1n) * 10n ** 9n;

/**
 * Returns a quantity such as `500m`, `1.5Gi` or `2e3` in billionths, the precision of API servers. Finer values are
 * rounded away from zero. Returns `undefined` for invalid quantities.
 */
export function quantityNanos(quantity: string | number | bigint): bigint | undefined {
  const match = SHAPE.exec(String(quantity));
  if (!match) return undefined;
  const [, sign, whole = "", fraction = match[4] ?? "", , suffix = ""] = match;
  const binary = BINARY.indexOf(suffix) + 1;
  const exponent = binary > 0 ? 0 : (DECIMAL[suffix] ?? Number(suffix.slice(1)));
  if (Math.abs(exponent) > longest || whole.length + fraction.length > longest) return undefined;
  const digits = BigInt(whole + fraction) * 1024n ** BigInt(binary);
  const shift = exponent - fraction.length + 9;
  const nanos = shift >= 0 ? digits * 10n ** BigInt(shift) : divideUp(digits, 10n ** BigInt(-shift));
  const limited = nanos > largest ? largest : nanos;
  return sign === "-" ? -limited : limited;
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
  const left = parsed(a);
  const right = parsed(b);
  return left === right ? 0 : left < right ? -1 : 1;
}

function parsed(quantity: string | number | bigint): bigint {
  const nanos = quantityNanos(quantity);
  if (nanos !== undefined) return nanos;
  throw new TypeError(
    `invalid quantity ${JSON.stringify(String(quantity))}: it must be a number such as 2, 500m or 1.5Gi`,
  );
}

function divideUp(digits: bigint, by: bigint): bigint {
  return (digits + by - 1n) / by;
}

/**
 * Adds quantities. The result has the suffixes of the first: `Ki`, `Mi` … or `m`, `k`, `M` …
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
  const sum = others.reduce((total: bigint, other) => total + parsed(other), parsed(first));
  return formatNanos(sum, isBinary(first));
}

/**
 * Subtracts a quantity. The result has the suffixes of the first.
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
  return formatNanos(parsed(from) - parsed(quantity), isBinary(from));
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
  return formatNanos(parsed(quantity) * BigInt(by), isBinary(quantity));
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
  return Number(parsed(quantity)) / 1e9;
}

function isBinary(quantity: string | number | bigint): boolean {
  return String(quantity).endsWith("i");
}

/** Returns the canonical text: with the largest suffix for which the number is an integer. */
function formatNanos(nanos: bigint, binary: boolean): string {
  if (nanos === 0n) return "0";
  const sign = nanos < 0n ? "-" : "";
  let amount = nanos < 0n ? -nanos : nanos;
  // Amounts below 1024 and fractions have no binary suffix.
  if (binary && amount >= 1024n * 10n ** 9n && amount % 10n ** 9n === 0n) {
    amount /= 10n ** 9n;
    let step = 0;
    for (; step < BINARY.length && amount % 1024n === 0n; step++) amount /= 1024n;
    return `${sign}${amount}${step === 0 ? "" : BINARY[step - 1]}`;
  }
  let step = 0;
  for (; step < SUFFIXES.length - 1 && amount % 1000n === 0n; step++) amount /= 1000n;
  return `${sign}${amount}${SUFFIXES[step]}`;
}
