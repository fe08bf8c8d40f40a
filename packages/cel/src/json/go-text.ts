import type { Json } from "./json.ts";
import { escapeAsGo, goFloat } from "./values.ts";

/**
 * Compares texts by the bytes of their UTF-8 form, as Go does.
 *
 * @param left - a text
 * @param right - another text
 * @returns a negative number, 0 or a positive number
 */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a === b) continue;
    // Surrogates stand for code points above all others, whereas U+E000 to U+FFFF come after them as code units.
    const surrogates = Number(a >= 0xd800 && a < 0xe000) - Number(b >= 0xd800 && b < 0xe000);
    return surrogates !== 0 ? surrogates : a - b;
  }
  return left.length - right.length;
}

/**
 * Formats a value as JSON in the form of Go's `encoding/json`: sorted keys, and `<`, `>`, `&` escaped.
 *
 * @param value - the value
 * @returns the JSON
 */
export function goJson(value: Json): string {
  if (typeof value === "string") return goJsonString(value);
  if (Array.isArray(value)) return `[${value.map(goJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts: string[] = [];
  for (const key of Object.keys(value).sort(compareText)) {
    const part = value[key];
    if (part !== undefined) parts.push(`${goJsonString(key)}:${goJson(part)}`);
  }
  return `{${parts.join(",")}}`;
}

function goJsonString(text: string): string {
  return escapeAsGo(JSON.stringify(text));
}

/**
 * Formats a value as Go's `%v` does: maps as `map[a:1]` with sorted keys, lists as `[1 2]`.
 *
 * @param value - the value
 * @returns the text
 */
export function goFormat(value: Json | undefined): string {
  if (value === null || value === undefined) return "<nil>";
  if (typeof value === "number") return Number.isInteger(value) ? integerText(value) : goFloat(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[${value.map(goFormat).join(" ")}]`;
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return `map[${keys
    .sort(compareText)
    .map((key) => `${key}:${goFormat(value[key])}`)
    .join(" ")}]`;
}

function integerText(value: number): string {
  return Math.abs(value) < 2 ** 63 ? BigInt(value).toString() : goFloat(value);
}

/**
 * Formats a value as Go's `%#v` does after decoding JSON.
 *
 * @param value - the value
 * @returns for example `map[string]interface {}{"a":1}`
 */
export function goSyntax(value: Json | undefined): string {
  if (value === null || value === undefined) return "interface {}(nil)";
  if (typeof value === "string") return goQuote(value);
  if (typeof value !== "object") return goFormat(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return `map[string]interface {}{${keys
    .sort(compareText)
    .map((key) => `${goQuote(key)}:${goSyntax(value[key])}`)
    .join(", ")}}`;
}

/**
 * Names the type of a value as Go's `%T` does after decoding JSON.
 *
 * @param value - the value
 * @returns for example `map[string]interface {}`
 */
export function goType(value: Json | undefined): string {
  if (value === null || value === undefined) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "number":
      return Number.isInteger(value) ? "int64" : "float64";
    default:
      return "map[string]interface {}";
  }
}

/**
 * Formats a number with a fixed number of digits after the point, as Go's `%f` does: halves are rounded to the even neighbor,
 * unlike with `toFixed`.
 *
 * @param value - a finite number that isn't negative
 * @param precision - how many digits
 * @returns the text
 */
export function goFixed(value: number, precision: number): string {
  const digits = Math.min(precision, 100);
  const scale = 10n ** BigInt(digits);
  // A double is an integer times a power of two.
  let exponent = 0;
  let mantissa = value;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    exponent++;
  }
  const divisor = 1n << BigInt(exponent);
  const scaled = BigInt(mantissa) * scale;
  let units = scaled / divisor;
  const rest = (scaled % divisor) * 2n;
  if (rest > divisor || (rest === divisor && units % 2n === 1n)) units++;
  const text = String(units).padStart(digits + 1, "0");
  const shown = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return precision > digits ? `${shown}${"0".repeat(precision - digits)}` : shown;
}

/**
 * Quotes a text as Go's `%q` does.
 *
 * @param text - any text
 * @returns the text in double quotes, with Go's escapes
 */
export function goQuote(text: string): string {
  let quoted = '"';
  for (const char of text) {
    const code = char.codePointAt(0) as number;
    if (char === '"' || char === "\\") quoted += `\\${char}`;
    else if (char === "\n") quoted += "\\n";
    else if (char === "\r") quoted += "\\r";
    else if (char === "\t") quoted += "\\t";
    else if (code === 7) quoted += "\\a";
    else if (code === 8) quoted += "\\b";
    else if (code === 11) quoted += "\\v";
    else if (code === 12) quoted += "\\f";
    else if (code < 0x20 || code === 0x7f) quoted += `\\x${code.toString(16).padStart(2, "0")}`;
    else if (/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(char)) quoted += char;
    else if (code > 0xffff) quoted += `\\U${code.toString(16).padStart(8, "0")}`;
    else quoted += `\\u${code.toString(16).padStart(4, "0")}`;
  }
  return `${quoted}"`;
}
