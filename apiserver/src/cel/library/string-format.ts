import { goQuote } from "../../request/field-error.ts";
import { formatDouble } from "../conversion.ts";
import { EvaluationError } from "../evaluation-error.ts";
import { formatTime } from "../time.ts";
import { Duration, ListValue, MapValue, Timestamp, TypeValue, typeName, Uint, type Value } from "../value.ts";

const defaultPrecision = 6;
const superscripts: Record<string, string> = Object.fromEntries(
  [..."-0123456789"].map((char, index) => [char, [..."⁻⁰¹²³⁴⁵⁶⁷⁸⁹"][index] as string]),
);

/**
 * Replaces the clauses of a format, for example `%s` and `%.2f`.
 *
 * @param format - the format
 * @param args - the values of the clauses
 * @returns the text
 * @throws EvaluationError for invalid clauses, missing arguments and arguments of other types
 */
export function formatText(format: string, args: ListValue): string {
  let next = 0;
  return format.replace(
    /%(?:(%)|(?:\.(\d*))?([\s\S]|$))/gu,
    (_match, percent?: string, precision?: string, verb = "") => {
      if (percent !== undefined) return "%";
      if (next >= args.length) throw new EvaluationError(`index ${next} out of range`);
      if (verb === "") throw new EvaluationError("unexpected end of string");
      if (!"sdfebxXo".includes(verb)) {
        throw new EvaluationError(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
      }
      try {
        return clause(verb, precision === undefined ? defaultPrecision : Number(precision), args.at(next++));
      } catch (error) {
        if (!(error instanceof EvaluationError)) throw error;
        throw new EvaluationError(`error during formatting: ${error.message}`);
      }
    },
  );
}

function clause(verb: string, precision: number, value: Value): string {
  switch (verb) {
    case "s":
      return display(value);
    case "d":
      return decimal(value);
    case "f":
    case "e":
      return double(verb, precision, value);
    case "b":
      if (typeof value === "boolean") return value ? "1" : "0";
      return radix(value, 2, "only integers and bools can be formatted as binary");
    case "o":
      return radix(value, 8, "octal clause can only be used on integers");
    default: {
      const text = hexadecimal(value);
      return verb === "X" ? text.toUpperCase() : text;
    }
  }
}

const given = (rule: string, value: Value) => new EvaluationError(`${rule}, was given ${typeName(value)}`);

function decimal(value: Value): string {
  if (typeof value === "bigint") return String(value);
  if (value instanceof Uint) return String(value.value);
  throw given("decimal clause can only be used on integers", value);
}

function double(verb: "f" | "e", precision: number, value: Value): string {
  const rule =
    verb === "f" ? "fixed-point clause can only be used on doubles" : "scientific clause can only be used on doubles";
  const isName = typeof value === "string" && ["NaN", "Infinity", "-Infinity"].includes(value);
  if (typeof value !== "number" && !isName) throw given(rule, value);
  const number = Number(value);
  if (!Number.isFinite(number)) return Number.isNaN(number) ? "NaN" : number > 0 ? "∞" : "-∞";
  return verb === "f" ? fixed(number, precision) : scientific(number, precision);
}

/** Formats a number as the locale en_US does, with commas. */
function fixed(value: number, precision: number): string {
  const [whole = "", fraction] = value.toFixed(Math.min(precision, 100)).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** The real server takes the precision of the scientific clause as the smallest width of the text. */
function scientific(value: number, width: number): string {
  const [mantissa, exponent = ""] = value.toExponential(defaultPrecision).split("e");
  const digits = exponent.slice(1).padStart(2, "0");
  const raised = `${exponent.startsWith("-") ? "-" : ""}${digits}`.replace(/./g, (char) => superscripts[char] ?? char);
  return `${mantissa}×10${raised}`.padStart(width);
}

function radix(value: Value, base: number, rule: string): string {
  if (typeof value === "bigint") return value.toString(base);
  if (value instanceof Uint) return value.value.toString(base);
  throw given(rule, value);
}

function hexadecimal(value: Value): string {
  if (typeof value === "string") return Buffer.from(value).toString("hex");
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return radix(value, 16, "only integers, byte buffers, and strings can be formatted as hex");
}

/** Formats a value for `%s`. */
function display(value: Value): string {
  if (typeof value === "string") return value;
  if (value === null) return "null";
  if (typeof value === "number") return formatDouble(value);
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
  if (value instanceof Timestamp) return formatTime(value);
  if (value instanceof Duration) return `${Number(value.nanos) / 1e9}s`;
  if (value instanceof TypeValue) return value.name;
  if (value instanceof ListValue) return `[${[...value].map(literal).join(", ")}]`;
  if (value instanceof MapValue) {
    const entries = [...value.keys()].map((key): [string, string] => [literal(key), literal(value.get(key) as Value)]);
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${key}:${item}`).join(", ")}}`;
  }
  throw given(
    "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
    value,
  );
}

/** Formats a value in a list or a map as its literal. */
function literal(value: Value): string {
  const text = display(value);
  if (typeof value === "string") return goQuote(text);
  if (value instanceof Uint8Array) return `b${goQuote(text)}`;
  if (value instanceof Timestamp) return `timestamp(${goQuote(text)})`;
  if (value instanceof Duration) return `duration(${goQuote(text)})`;
  if (typeof value !== "number") return text;
  return Number.isFinite(value) ? value.toFixed(defaultPrecision) : goQuote(text);
}
