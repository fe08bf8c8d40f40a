/** How a quantity is written: `12M`, `12Mi` or `12e6`. */
type Format = "decimal" | "binary" | "exponent";

/** A quantity: value × 10^scale. */
export interface Quantity {
  value: bigint;
  scale: number;
  format: Format;
  /** The text of the quantity, if it is already canonical. */
  text: string | undefined;
}

const decimalExponents: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  "": 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const decimalSuffixes = new Map(Object.entries(decimalExponents).map(([suffix, exponent]) => [exponent, suffix]));
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const nano = -9;
/** The most digits that always fit an integer of 64 bits. Longer numbers are rounded to billionths. */
const mostDigits = 18;
/** The largest value with a binary suffix. Larger ones are reduced to it. */
const largest = 2n ** 63n - 1n;
/** The longest text and the greatest exponent that are computed with: greater ones would only use CPU time and memory. */
const longest = 10_000;

const pattern = /^([+-]?)(0*)((?:[1-9]\d*)?)(?:(\.)(\d*))?((?:[eEinumkKMGTP]+[-+]?\d*|[-+]\d*)?)$/;

/** A text that isn't a quantity. */
export class QuantityError extends Error {}

const messages = {
  format: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  number: "unable to parse numeric part of quantity",
  suffix: "unable to parse quantity's suffix",
};

/**
 * Parses a quantity.
 *
 * @param text - for example `0.5`, `1024Mi` or `1e3`
 * @returns the quantity
 * @throws QuantityError with the message of the real server
 */
export function parseQuantity(text: string): Quantity {
  if (text === "") throw new QuantityError(messages.format);
  if (text === "0") return { value: 0n, scale: 0, format: "decimal", text };
  const match = text.length > longest ? null : pattern.exec(text);
  if (match === null) throw new QuantityError(messages.format);
  const [, sign, , significant = "", , fraction = "", suffix = ""] = match;
  const { format, exponent } = parseSuffix(suffix);
  const whole = significant === "" ? "0" : significant;
  const digits = whole + fraction;
  const value = BigInt(digits);
  const signed = sign === "-" ? -value : value;
  if (format === "binary") return binaryQuantity(text, signed, whole, fraction, exponent);
  const scale = exponent - fraction.length;
  if (digits.length <= mostDigits && scale >= nano) {
    // The real server keeps texts that look canonical, such as 1.500.
    const canonical = scale % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
    return { value: signed, scale, format, text: canonical ? text : undefined };
  }
  if (Math.abs(exponent) > longest) throw new QuantityError(messages.number);
  return { ...inBillionths(signed, scale), format, text: undefined };
}

function binaryQuantity(text: string, value: bigint, whole: string, fraction: string, exponent: number): Quantity {
  const scaled = value * 1024n ** BigInt(exponent);
  // The digits that remain for the number beside its suffix.
  const precision = 14 - whole.length - Math.trunc(exponent * 3);
  if (fraction === "" && precision >= 0) {
    const canonical = value % 8n !== 0n;
    return { value: scaled, scale: 0, format: "binary", text: canonical ? text : undefined };
  }
  if (!/\d/.test(text)) throw new QuantityError(messages.number);
  const rounded = inBillionths(scaled, -fraction.length);
  const size = rounded.value < 0n ? -rounded.value : rounded.value;
  const unit = 10n ** 9n;
  if (size > largest * unit)
    return { value: value < 0n ? -largest : largest, scale: 0, format: "binary", text: undefined };
  return { ...rounded, format: size < unit && size > 0n ? "decimal" : "binary", text: undefined };
}

/** Rounds to billionths, away from zero. */
function inBillionths(value: bigint, scale: number): { value: bigint; scale: number } {
  return { value: rescale(value, scale, nano).value, scale: nano };
}

/** Changes the scale. Rounds away from zero. */
function rescale(value: bigint, from: number, to: number): { value: bigint; exact: boolean } {
  if (from >= to) return { value: value * 10n ** BigInt(from - to), exact: true };
  const divisor = 10n ** BigInt(to - from);
  const quotient = value / divisor;
  if (quotient * divisor === value) return { value: quotient, exact: true };
  return { value: value < 0n ? quotient - 1n : quotient + 1n, exact: false };
}

function parseSuffix(suffix: string): { format: Format; exponent: number } {
  const decimal = Object.hasOwn(decimalExponents, suffix) ? decimalExponents[suffix] : undefined;
  if (decimal !== undefined) return { format: "decimal", exponent: decimal };
  const binary = binarySuffixes.indexOf(suffix);
  if (binary > 0) return { format: "binary", exponent: binary };
  const digits = /^[eE]\+?(-?\d+)$/.exec(suffix)?.[1];
  const exponent = digits === undefined ? undefined : BigInt(digits);
  if (exponent === undefined || BigInt.asIntN(64, exponent) !== exponent) throw new QuantityError(messages.suffix);
  // Exponents have 32 bits in the real server; greater ones overflow there.
  return { format: "exponent", exponent: Number(BigInt.asIntN(32, exponent)) };
}

/**
 * Writes a quantity in its canonical form: no fraction, and the largest suffix of the same kind.
 *
 * @param quantity - the quantity
 * @returns for example `500m`, `1Gi` or `1e3`
 */
export function formatQuantity(quantity: Quantity): string {
  const { value, scale, format, text } = quantity;
  if (text !== undefined) return text;
  if (value === 0n) return "0";
  if (format === "binary") {
    const whole = rescale(value, scale, 0);
    const size = whole.value < 0n ? -whole.value : whole.value;
    const small = size < 1024n || (size === 1024n && !whole.exact);
    if (!small && whole.exact) return binaryText(whole.value);
  }
  return decimalText(value, scale, format === "exponent");
}

function binaryText(value: bigint): string {
  let rest = value;
  let power = 0;
  while (rest % 1024n === 0n) {
    rest /= 1024n;
    power++;
  }
  return `${rest}${binarySuffixes[power] ?? ""}`;
}

function decimalText(value: bigint, scale: number, withExponent: boolean): string {
  let rest = value;
  let exponent = scale;
  while (rest % 10n === 0n) {
    rest /= 10n;
    exponent++;
  }
  while (exponent % 3 !== 0) {
    rest *= 10n;
    exponent--;
  }
  if (withExponent) return exponent === 0 ? String(rest) : `${rest}e${exponent}`;
  // The real server has no suffix for values beyond exa, and writes them without one.
  return `${rest}${decimalSuffixes.get(exponent) ?? ""}`;
}

/**
 * Adds two quantities.
 *
 * @param first - a quantity, whose format the sum has unless it is zero
 * @param second - what is added to it
 * @returns the sum
 */
export function addQuantities(
  first: Quantity,
  second: Pick<Quantity, "value" | "scale"> & Partial<Quantity>,
): Quantity {
  const scale = Math.min(first.scale, second.scale);
  const at = ({ value, scale: own }: Pick<Quantity, "value" | "scale">): bigint => value * 10n ** BigInt(own - scale);
  const format = first.value === 0n ? (second.format ?? first.format) : first.format;
  return { value: at(first) + at(second), scale, format, text: undefined };
}

/**
 * Brings a quantity into its canonical form.
 *
 * @param text - for example `0.5`, `1024Mi` or `1e3`
 * @returns for example `500m`, `1Gi` or `1e3`
 * @throws QuantityError with the message of the real server
 */
export function canonicalQuantity(text: string): string {
  return formatQuantity(parseQuantity(text));
}

/**
 * Rounds a quantity up.
 *
 * @param text - the quantity
 * @param scale - the exponent of the last digit: the default are thousandths, which is the precision of requests and limits
 * @returns the rounded quantity in canonical form; the text itself if nothing is rounded
 */
export function roundQuantity(text: string, scale = -3): string {
  const quantity = parseQuantity(text);
  if (quantity.scale >= scale) return formatQuantity(quantity);
  const { value } = rescale(quantity.value, quantity.scale, scale);
  return formatQuantity({ ...quantity, value, scale, text: undefined });
}
