// Powers of ten that Go writes as letters; the others are powers of 1024.
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const SHAPE = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))([numkMGTPE]?|[KMGTPE]i|[eE][+-]?\d+)$/;
/** Longer numbers and exponents would only serve to make a process count for ever. */
const longest = 1000;
/** API servers take whatever is bigger for this. */
const largest = (2n ** 63n - 1n) * 10n ** 9n;

/**
 * The value of a quantity such as `500m`, `1.5Gi` or `2e3`, in billionths: as fine as API servers keep it, what is finer is rounded
 * away from zero. `undefined` for what is no quantity.
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
 * Compares two quantities by value: negative, 0 or positive, as `sort` wants it. Throws a `TypeError` for what is no quantity.
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
  throw new TypeError(`${JSON.stringify(String(quantity))} is no quantity: write a number such as 2, 500m or 1.5Gi`);
}

function divideUp(digits: bigint, by: bigint): bigint {
  return (digits + by - 1n) / by;
}
