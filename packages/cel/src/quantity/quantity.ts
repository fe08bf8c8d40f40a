/** How a quantity is written: `12M`, `12Mi` or `12e6`. */
type Format = "decimal" | "binary" | "exponent";

/** A quantity: value × 10^scale. */
export interface Quantity {
  value: bigint;
  scale: number;
  format: Format;
  /** The text of the quantity, if it is already canonical. */
  text: string | undefined;
  /** True if Go keeps it as a number of any size instead of an integer of 64 bits with a scale. */
  isLarge?: boolean;
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
/** The longest text that is read, and the most digits that are added to a number: more would only use CPU time and memory. */
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
  const number = text.slice(0, text.length - suffix.length);
  if (format === "binary") return binaryQuantity(text, number, signed, whole, fraction, exponent);
  const scale = exponent - fraction.length;
  if (digits.length <= mostDigits && scale >= nano) {
    // The real server keeps texts that look canonical, such as 1.500.
    const canonical = scale % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
    return { value: signed, scale, format, text: canonical ? text : undefined };
  }
  if (!/\d/.test(number)) throw new QuantityError(messages.number);
  return { ...inBillionths(signed, scale), format, text: undefined, isLarge: true };
}

function binaryQuantity(
  text: string,
  number: string,
  value: bigint,
  whole: string,
  fraction: string,
  exponent: number,
): Quantity {
  const scaled = value * 1024n ** BigInt(exponent);
  // The digits that remain for the number beside its suffix.
  const precision = 14 - whole.length - Math.trunc(exponent * 3);
  if (fraction === "" && precision >= 0) {
    const canonical = value % 8n !== 0n;
    return { value: scaled, scale: 0, format: "binary", text: canonical ? text : undefined };
  }
  if (!/\d/.test(number)) throw new QuantityError(messages.number);
  const rounded = inBillionths(scaled, -fraction.length);
  const size = rounded.value < 0n ? -rounded.value : rounded.value;
  const unit = 10n ** 9n;
  if (size > largest * unit)
    return { value: value < 0n ? -largest : largest, scale: 0, format: "binary", text: undefined, isLarge: true };
  return { ...rounded, format: size < unit && size > 0n ? "decimal" : "binary", text: undefined, isLarge: true };
}

/** Rounds to billionths, away from zero. Numbers with very many zeros are kept. */
function inBillionths(value: bigint, scale: number): { value: bigint; scale: number } {
  if (scale > longest || value === 0n) return { value, scale };
  if (scale >= nano) return { value: timesTen(value, scale - nano), scale: nano };
  return { value: rescale(value, scale, nano).value, scale: nano };
}

/** Changes the scale to a greater one. Rounds away from zero. */
function rescale(value: bigint, from: number, to: number): { value: bigint; exact: boolean } {
  if (from === to || value === 0n) return { value, exact: true };
  // A number with fewer digits than those that are removed is the smallest one of the new scale.
  if (to - from > String(value).length) return { value: value < 0n ? -1n : 1n, exact: false };
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
    const whole = scale < 0 ? rescale(value, scale, 0) : { value: timesTen(value, scale), exact: true };
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

function timesTen(value: bigint, power: number): bigint {
  return value * 10n ** BigInt(power);
}

/**
 * Adds two quantities.
 *
 * @param first - a quantity, whose format the sum has unless it is zero
 * @param second - what is added to it
 * @returns the sum. If one of them has more than 10000 digits than the other, the greater one
 */
export function addQuantities(first: Quantity, second: Quantity): Quantity {
  const format = first.value === 0n ? second.format : first.format;
  const isLarge = first.isLarge === true || second.isLarge === true;
  const [high, low] = first.scale >= second.scale ? [first, second] : [second, first];
  if (!isLarge && (low.value === 0n || high.value === 0n)) {
    return { ...(second.value === 0n ? first : second), format, text: undefined };
  }
  if (high.scale - low.scale > longest) {
    return { ...(high.value === 0n ? low : high), format, text: undefined, isLarge: true };
  }
  const value = timesTen(high.value, high.scale - low.scale) + low.value;
  return { value, scale: low.scale, format, text: undefined, isLarge: isLarge || !isInt64(value) };
}

const isInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

/**
 * Converts a quantity to an integer, as `AsInt64` of Go does.
 *
 * @param quantity - the quantity
 * @returns the integer; undefined for fractions, also `1.0` and `1000m`, and for numbers beyond 64 bits
 */
export function quantityToInteger({ value, scale, isLarge }: Quantity): bigint | undefined {
  if (isLarge === true || scale < 0 || (value !== 0n && scale > mostDigits)) return undefined;
  const integer = value === 0n ? 0n : timesTen(value, scale);
  return isInt64(integer) ? integer : undefined;
}

/**
 * Negates a quantity.
 *
 * @param quantity - the quantity
 * @returns the quantity with the other sign
 */
export function negateQuantity(quantity: Quantity): Quantity {
  return { ...quantity, value: -quantity.value, text: undefined };
}

/**
 * Multiplies a quantity.
 *
 * @param quantity - the quantity
 * @param by - the factor
 * @returns the product
 */
export function multiplyQuantity(quantity: Quantity, by: bigint): Quantity {
  return { ...quantity, value: quantity.value * by, text: undefined };
}

/**
 * Compares two quantities by value.
 *
 * @param first - a quantity
 * @param second - another quantity
 * @returns -1, 0 or 1, as the first one is less, equal or greater
 */
export function compareQuantities(first: Quantity, second: Quantity): -1 | 0 | 1 {
  const [a, b] = [first.value, second.value];
  const [signA, signB] = [signOf(a), signOf(b)];
  if (signA !== signB || signA === 0) return order(signA, signB);
  // Powers of ten decide before numbers of that length are computed.
  const [sizeA, sizeB] = [sizeOf(first), sizeOf(second)];
  if (sizeA !== sizeB) return sizeA > sizeB ? signA : (-signA as -1 | 1);
  const scale = Math.min(first.scale, second.scale);
  return order(timesTen(a, first.scale - scale), timesTen(b, second.scale - scale));
}

const order = <T extends bigint | number>(a: T, b: T): -1 | 0 | 1 => (a < b ? -1 : a > b ? 1 : 0);
const signOf = (value: bigint): -1 | 0 | 1 => order(value, 0n);

/** @returns the number of digits in front of the point */
function sizeOf({ value, scale }: Quantity): number {
  return String(value < 0n ? -value : value).length + scale;
}

/**
 * Converts a quantity to a number.
 *
 * @param quantity - the quantity
 * @param unit - the power of ten that the number counts: -3 for thousandths
 * @returns the nearest number
 */
export function quantityToNumber({ value, scale }: Quantity, unit = 0): number {
  return Number(`${value}e${scale - unit}`);
}

/**
 * Converts a quantity to a number with the rounding errors of `AsApproximateFloat64` of Go.
 *
 * @param quantity - the quantity
 * @returns for example 0.30000000000000004 for `300m`
 */
export function approximateFloat({ value, scale }: Quantity): number {
  return scale === 0 ? Number(value) : Number(value) * powerOfTen(scale);
}

/** Multiplies two powers of ten, as `math.Pow10` of Go does. */
function powerOfTen(power: number): number {
  if (power < -323) return 0;
  if (power > 308) return Number.POSITIVE_INFINITY;
  const [large, small] = [Math.trunc(Math.abs(power) / 32) * 32, Math.abs(power) % 32];
  return power < 0 ? Number(`1e-${large}`) / Number(`1e${small}`) : Number(`1e${large}`) * Number(`1e${small}`);
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
 * Rounds a quantity away from zero.
 *
 * @param quantity - the quantity
 * @param scale - the exponent of the last digit: the default are thousandths, which is the precision of requests and limits
 * @returns the rounded quantity; the quantity itself if nothing is rounded
 */
export function roundQuantity(quantity: Quantity, scale = -3): Quantity {
  if (quantity.scale >= scale) return quantity;
  const { value } = rescale(quantity.value, quantity.scale, scale);
  return { ...quantity, value, scale, text: undefined };
}
