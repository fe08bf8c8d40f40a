import { formatDouble } from "../conversion.ts";
import { EvaluationError } from "../evaluation-error.ts";
import { formatTime } from "../time.ts";
import { Duration, ListValue, MapValue, Timestamp, TypeValue, typeName, Uint, type Value } from "../value.ts";

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
      if (verb === "") throw new EvaluationError("unexpected end of string");
      if (!"sdfebxXo".includes(verb)) {
        throw new EvaluationError(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
      }
      if (next >= args.length) throw new EvaluationError(`index ${next} out of range`);
      try {
        return clause(verb, precision === undefined ? 6 : Number(precision), args.at(next++));
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
  if (typeof value === "number" && !Number.isFinite(value)) return special(value);
  throw given("decimal clause can only be used on integers", value);
}

const special = (value: number): string => (Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");

function double(verb: "f" | "e", precision: number, value: Value): string {
  const rule =
    verb === "f" ? "fixed-point clause can only be used on doubles" : "scientific clause can only be used on doubles";
  if (typeof value === "string" && ["NaN", "Infinity", "-Infinity"].includes(value)) return value;
  if (typeof value !== "number") throw given(rule, value);
  if (!Number.isFinite(value)) return special(value);
  if (verb === "f") return value.toFixed(Math.min(precision, 100));
  return value.toExponential(Math.min(precision, 100)).replace(/e([+-])(\d)$/, "e$10$2");
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
  if (typeof value === "number") return Number.isFinite(value) ? formatDouble(value) : special(value);
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
  if (value instanceof Timestamp) return formatTime(value);
  if (value instanceof Duration) return `${Number(value.nanos) / 1e9}s`;
  if (value instanceof TypeValue) return value.name;
  if (value instanceof ListValue) return `[${[...value].map(display).join(", ")}]`;
  if (value instanceof MapValue) {
    const entries = [...value.keys()].map((key): [string, string] => [display(key), display(value.get(key) as Value)]);
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${key}: ${item}`).join(", ")}}`;
  }
  throw given(
    "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
    value,
  );
}
