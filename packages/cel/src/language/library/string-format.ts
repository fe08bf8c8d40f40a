import { hexOf } from "../../json/bytes.ts";
import { goFixed, goQuote } from "../../json/go-text.ts";
import { formatDouble, toText } from "../values/conversion.ts";
import { EvaluationError } from "../values/evaluation-error.ts";
import { Duration, ListValue, MapValue, Timestamp, TypeValue, typeName, Uint, type Value } from "../values/value.ts";
import { replaceClauses, wrongArgument } from "./format-clauses.ts";

/**
 * Replaces the clauses of a format, for example `%s` and `%.2f`.
 *
 * @param format - the format
 * @param args - the values of the clauses
 * @returns the text
 * @throws EvaluationError for invalid clauses, missing arguments and arguments of other types
 */
export function formatText(format: string, args: ListValue): string {
  return replaceClauses(format, args.length, ({ verb, precision = 6, index }) => {
    const value = args.at(index);
    const text = clause(verb, precision, value);
    if (text === undefined) throw wrongArgument(verb, typeName(value));
    return text;
  });
}

/** Returns the text of a clause; undefined if the value has the wrong type. */
function clause(verb: string, precision: number, value: Value): string | undefined {
  switch (verb) {
    case "s":
      return display(value);
    case "d":
      return integer(value, 10);
    case "f": {
      const number = double(value);
      return number === undefined ? undefined : fixed(number, precision);
    }
    case "e": {
      const number = double(value);
      // The precision is the width, by a mistake of cel-go.
      return number === undefined ? undefined : scientific(number).padStart(precision);
    }
    case "b":
      return typeof value === "boolean" ? String(Number(value)) : integer(value, 2);
    case "o":
      return integer(value, 8);
    default: {
      const isBytes = typeof value === "string" || value instanceof Uint8Array;
      const text = isBytes ? hexOf(value) : integer(value, 16);
      return verb === "X" ? text?.toUpperCase() : text;
    }
  }
}

function integer(value: Value, base: number): string | undefined {
  if (typeof value === "bigint") return value.toString(base);
  return value instanceof Uint ? value.value.toString(base) : undefined;
}

function double(value: Value): number | undefined {
  if (typeof value === "number") return value;
  return value === "NaN" || value === "Infinity" || value === "-Infinity" ? Number(value) : undefined;
}

const special = (value: number): string => (Number.isNaN(value) ? "NaN" : value > 0 ? "∞" : "-∞");

/** Formats with a fixed number of digits, and with commas between thousands. */
function fixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return special(value);
  const [whole = "", fraction] = goFixed(Math.abs(value), precision).split(".");
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ",") + (fraction === undefined ? "" : `.${fraction}`);
  return value < 0 ? `-${text}` : text;
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function scientific(value: number): string {
  if (!Number.isFinite(value)) return special(value);
  const [mantissa = "", exponent = ""] = Math.abs(value).toExponential(6).split("e");
  const power = exponent
    .slice(1)
    .padStart(2, "0")
    .replace(/\d/g, (digit) => superscripts[Number(digit)] as string);
  return `${value < 0 ? "-" : ""}${mantissa}×10${exponent.startsWith("-") ? "⁻" : ""}${power}`;
}

/** Formats a value for `%s`; undefined for types that have no text. */
function display(value: Value): string | undefined {
  if (value === null) return "null";
  if (value instanceof ListValue) return `[${[...value].map(literal).join(", ")}]`;
  if (value instanceof MapValue) {
    const entries = [...value.keys()].map((key): [string, string] => [keyText(key), literal(value.get(key) as Value)]);
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${key}:${item}`).join(", ")}}`;
  }
  return isScalar(value) ? toText(value) : undefined;
}

function isScalar(value: Value): boolean {
  return (
    typeof value !== "object" ||
    [Uint, Uint8Array, Timestamp, Duration, TypeValue].some((valueType) => value instanceof valueType)
  );
}

function keyText(key: Value): string {
  return typeof key === "string" ? goQuote(key) : String(key instanceof Uint ? key.value : key);
}

/** Formats an item of a list or map as a literal of CEL. */
function literal(value: Value): string {
  if (typeof value === "number") {
    return Number.isFinite(value)
      ? `${value < 0 ? "-" : ""}${goFixed(Math.abs(value), 6)}`
      : goQuote(formatDouble(value));
  }
  if (value instanceof Timestamp) return `timestamp(${goQuote(toText(value))})`;
  if (value instanceof Duration) return `duration(${goQuote(toText(value))})`;
  if (value instanceof TypeValue) return `type(${value.name})`;
  const text = display(value);
  if (text === undefined)
    throw new EvaluationError(`error during formatting: no formatting function for ${typeName(value)}`);
  if (typeof value === "string") return goQuote(text);
  return value instanceof Uint8Array ? `b${goQuote(text)}` : text;
}
