const suffixes: Record<string, [base: bigint, exponent: number]> = {
  Ki: [1024n, 1],
  Mi: [1024n, 2],
  Gi: [1024n, 3],
  Ti: [1024n, 4],
  Pi: [1024n, 5],
  Ei: [1024n, 6],
  n: [10n, -9],
  u: [10n, -6],
  m: [10n, -3],
  k: [10n, 3],
  M: [10n, 6],
  G: [10n, 9],
  T: [10n, 12],
  P: [10n, 15],
  E: [10n, 18],
};
/** Digits after the point that count. */
const digits = 9;

/**
 * Compares two quantities.
 *
 * @param a - for example `1Gi`
 * @param b - another quantity
 * @returns a negative number, 0 or a positive number; texts that aren't quantities count as 0
 */
export function compareQuantities(a: string, b: string): number {
  const difference = quantityNanos(a) - quantityNanos(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** @returns the quantity in billionths */
export function quantityNanos(text: string): bigint {
  const [, sign, whole = "", fraction = "", suffix = ""] =
    /^([+-]?)(\d*)(?:\.(\d*))?((?:[A-Za-z]+(?:[+-]?\d{1,2})?|[+-]\d{1,2})?)$/.exec(text) ?? [];
  const exponent = /^[eE]([+-]?\d+)$/.exec(suffix)?.[1];
  const [base, power] = exponent === undefined ? (suffixes[suffix] ?? [10n, 0]) : [10n, Number(exponent)];
  const places = fraction.slice(0, 40);
  const unscaled = BigInt(`${whole || "0"}${places}`);
  // Binary suffixes scale a decimal number: the places of its fraction are divided out last.
  const shift = digits - places.length + (base === 10n ? power : 0);
  const scaled = base === 1024n ? unscaled * base ** BigInt(power) : unscaled;
  const value = shift >= 0 ? scaled * 10n ** BigInt(shift) : scaled / 10n ** BigInt(-shift);
  return sign === "-" ? -value : value;
}
