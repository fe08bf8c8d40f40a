const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const decimalSuffixes = new Map(Object.entries(decimal).map(([suffix, exponent]) => [exponent, suffix]));
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const pattern = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))([numkMGTPE]?|[KMGTPE]i|[eE][+-]?\d+)$/;
/** The largest value, in billionths. Larger ones are reduced to it. */
const largest = (2n ** 63n - 1n) * 10n ** 9n;
/** The longest number and the greatest exponent: longer ones would only use CPU time. */
const longest = 1000;

/** The message for a text that isn't a quantity. */
export const quantityPatternMessage =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/**
 * Brings a quantity into its canonical form: no fraction, and the largest suffix of the same kind.
 *
 * @param text - for example `0.5`, `1024Mi` or `1e3`
 * @returns for example `500m`, `1Gi` or `1e3`; undefined if the text isn't a quantity
 */
export function canonicalQuantity(text: string): string | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = "", fraction = match[4] ?? "", , suffix = ""] = match;
  const binary = suffix.endsWith("i") ? binarySuffixes.indexOf(suffix) : 0;
  const scientific = /^[eE][+-]?\d/.test(suffix);
  const exponent = binary > 0 ? 0 : scientific ? Number(suffix.slice(1)) : (decimal[suffix] as number);
  if (Math.abs(exponent) > longest || whole.length + fraction.length > longest) return undefined;
  const digits = BigInt(whole + fraction) * 1024n ** BigInt(binary);
  const shift = exponent - fraction.length + 9;
  const power = 10n ** BigInt(Math.abs(shift));
  // Finer values than billionths are rounded away from zero.
  const exact = shift >= 0 ? digits * power : (digits + power - 1n) / power;
  const nanos = exact > largest ? largest : exact;
  if (nanos === 0n) return "0";
  const prefix = sign === "-" ? "-" : "";
  if (binary > 0 && nanos >= 1024n * 10n ** 9n) return prefix + binaryText(nanos);
  return prefix + decimalText(nanos, scientific);
}

function binaryText(nanos: bigint): string {
  const unit = 10n ** 9n;
  let value = (nanos + unit - 1n) / unit;
  let power = 0;
  while (power < binarySuffixes.length - 1 && value % 1024n === 0n) {
    value /= 1024n;
    power++;
  }
  return `${value}${binarySuffixes[power]}`;
}

function decimalText(nanos: bigint, scientific: boolean): string {
  let value = nanos;
  let exponent = -9;
  while (value % 1000n === 0n && (scientific || exponent < 18)) {
    value /= 1000n;
    exponent += 3;
  }
  if (scientific) return exponent === 0 ? String(value) : `${value}e${exponent}`;
  return `${value}${decimalSuffixes.get(exponent)}`;
}
