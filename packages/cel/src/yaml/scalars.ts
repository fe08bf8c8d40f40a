import { DecodeProblem } from "./decode-problem.ts";

/** A scalar of YAML with its type. */
export type Resolved =
  | { type: "str"; value: string }
  | { type: "int"; value: bigint }
  | { type: "float"; value: number }
  | { type: "bool"; value: boolean }
  | { type: "null"; value: null }
  | { type: "timestamp"; value: string };

const words = new Map<string, Resolved>([
  ...spellings(["y", "yes", "true", "on"], { type: "bool", value: true }),
  ...spellings(["n", "no", "false", "off"], { type: "bool", value: false }),
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, { type: "null", value: null }] as const),
  ...spellings([".inf", "+.inf"], { type: "float", value: Number.POSITIVE_INFINITY }),
  ...spellings(["-.inf"], { type: "float", value: Number.NEGATIVE_INFINITY }),
  ...[".nan", ".NaN", ".NAN"].map((word) => [word, { type: "float", value: Number.NaN }] as const),
]);

/** @returns each word in lower case, with a capital letter and in capitals */
function spellings(texts: readonly string[], resolved: Resolved): (readonly [string, Resolved])[] {
  return texts.flatMap((text) => {
    const capital = text.replace(/[a-z]/, (letter) => letter.toUpperCase());
    return [text, capital, text.toUpperCase()].map((spelling) => [spelling, resolved] as const);
  });
}

const prefix = "tag:yaml.org,2002:";
const resolvable = new Set(["str", "bool", "int", "float", "null", "timestamp"]);

/**
 * Finds the value of a text without quotes, or with a tag, as Go's library does: YAML 1.1 without numbers of base 60.
 *
 * @param text - the text
 * @param tag - its tag; other tags than those of YAML make texts of all values
 * @returns the value
 * @throws DecodeProblem if the text doesn't fit its tag
 */
export function resolveScalar(text: string, tag?: string): Resolved {
  if (tag !== undefined && !(tag.startsWith(prefix) && resolvable.has(tag.slice(prefix.length)))) {
    return { type: "str", value: text };
  }
  const wanted = tag?.slice(prefix.length);
  if (wanted === "str") return { type: "str", value: text };
  const resolved = resolvePlain(text, wanted === undefined || wanted === "timestamp");
  if (wanted === undefined || wanted === resolved.type) return resolved;
  if (wanted === "float" && resolved.type === "int" && isInt64(resolved.value)) {
    return { type: "float", value: Number(resolved.value) };
  }
  throw new DecodeProblem(`cannot decode !!${resolved.type} \`${text}\` as a !!${wanted}`);
}

function resolvePlain(text: string, withDates: boolean): Resolved {
  const word = words.get(text);
  if (word !== undefined) return word;
  const start = text.charCodeAt(0);
  if (start === 46 /* . */) return pointNumber(text) ?? { type: "str", value: text };
  const isNumber = (start >= 48 && start <= 57) || start === 43 || start === 45; // 0 to 9, + and -
  if (!isNumber) return { type: "str", value: text };
  if (withDates && isTimestamp(text)) return { type: "timestamp", value: text };
  const digits = text.replaceAll("_", "");
  const integer = integerOf(digits);
  if (integer !== undefined) return { type: "int", value: integer };
  if (/^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/.test(digits)) {
    const value = Number(digits);
    if (Number.isFinite(value)) return { type: "float", value };
  }
  return { type: "str", value: text };
}

/** Reads a number that begins with a point. Single underscores between its digits have no effect. */
function pointNumber(text: string): Resolved | undefined {
  if (!/^\.\d+(?:_\d+)*(?:[eE][-+]?\d+(?:_\d+)*)?$/.test(text)) return undefined;
  const value = Number(text.replaceAll("_", ""));
  return Number.isFinite(value) ? { type: "float", value } : undefined;
}

/** @returns true for integers of 64 bits with a sign */
export function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

const limit = 2n ** 64n;
/** Longer numbers exceed 64 bits, except with zeros at the beginning. */
const mostDigits = 64;

/** Reads an integer that fits 64 bits with or without a sign. A zero at the beginning means octal. */
function integerOf(digits: string): bigint | undefined {
  const match = /^([-+]?)(?:0[bB]([01]+)|0[xX]([\da-fA-F]+)|0[oO]?([0-7]+)|([1-9]\d*|0))$/.exec(digits);
  if (match === null) return undefined;
  const [, sign, binary, hexadecimal, octal, decimal] = match;
  const size = (binary ?? hexadecimal ?? octal ?? decimal) as string;
  if (size.replace(/^0+/, "").length > mostDigits) return undefined;
  const value =
    binary !== undefined
      ? BigInt(`0b${binary}`)
      : hexadecimal !== undefined
        ? BigInt(`0x${hexadecimal}`)
        : octal !== undefined
          ? BigInt(`0o${octal}`)
          : BigInt(decimal as string);
  if (sign === "-") return value <= limit / 2n ? -value : undefined;
  if (sign === "+") return value < limit / 2n ? value : undefined;
  return value < limit ? value : undefined;
}

const time = String.raw`(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?`;
const timestamp = new RegExp(`^(\\d{4})-(\\d{1,2})-(\\d{1,2})(?:[Tt]${time}(?:Z|[-+](\\d{2}):(\\d{2}))| ${time})?$`);

/** Reports whether Go's library takes a text for a date. */
function isTimestamp(text: string): boolean {
  const [, year, month, day, ...rest] = timestamp.exec(text) ?? [];
  if (year === undefined) return false;
  const last = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  const isDate = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= last;
  const [hour = "0", minute = "0", second = "0"] = rest[0] === undefined ? rest.slice(5) : rest;
  const [zoneHour = "0", zoneMinute = "0"] = rest.slice(3, 5);
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  return isDate && isTime && Number(zoneHour) <= 24 && Number(zoneMinute) < 60;
}

/**
 * Reports whether a text without quotes isn't a text.
 *
 * @param text - the text
 * @returns true for booleans, numbers, null and dates
 */
export function isPlainOfOtherType(text: string): boolean {
  return resolveScalar(text).type !== "str";
}

/**
 * Names the type of a text without quotes.
 *
 * @param text - the text
 * @returns for example `!!int`
 */
export function tagOf(text: string): string {
  return `!!${resolveScalar(text).type}`;
}

/**
 * Formats a number that is a key, as Go's `strconv.FormatFloat(value, 'g', -1, 32)` does.
 *
 * @param value - the number
 * @returns for example `1.5`, `1e+06` or `.inf`
 */
export function floatKey(value: number): string {
  const single = Math.fround(value);
  if (Number.isNaN(single)) return ".nan";
  if (!Number.isFinite(single)) return single > 0 ? ".inf" : "-.inf";
  if (single === 0) return Object.is(single, -0) ? "-0" : "0";
  let precision = 1;
  while (Math.fround(Number(single.toPrecision(precision))) !== single) precision++;
  const shortest = halfToEven(single, precision);
  const [digits = "", power = ""] = Number(shortest).toExponential().split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(Number(shortest));
  return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** Rounds to a number of digits: of two equally near results, to the one with an even last digit. */
function halfToEven(value: number, precision: number): string {
  const [digits = "", power = ""] = value.toExponential(precision - 1).split("e");
  const [exact = ""] = value.toExponential(100).split("e");
  const isTie = /^50*$/.test(exact.replace(/\D/g, "").slice(precision));
  if (!isTie || Number(digits.at(-1)) % 2 === 0) return `${digits}e${power}`;
  const even = `${digits.slice(0, -1)}${Number(digits.at(-1)) - 1}e${power}`;
  return Math.fround(Number(even)) === value ? even : `${digits}e${power}`;
}
