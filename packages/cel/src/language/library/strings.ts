import { define, type Functions } from "../declarations/function.ts";
import { EvaluationError } from "../values/evaluation-error.ts";
import { ArrayList, type ListValue } from "../values/value.ts";
import { formatText } from "./string-format.ts";

const outOfRange = (index: bigint): EvaluationError => new EvaluationError(`index out of range: ${index}`);

function charAt(text: string, index: bigint): string {
  const chars = [...text];
  if (index < 0n || index > BigInt(chars.length)) throw outOfRange(index);
  return chars[Number(index)] ?? "";
}

function indexOf(text: string, part: string, offset = 0n): bigint {
  if (part === "") return offset;
  const [chars, sought] = [[...text], [...part]];
  if (offset < 0n) throw outOfRange(offset);
  if (offset >= BigInt(chars.length)) return -1n;
  const prefix = chars.slice(0, Number(offset)).join("").length;
  const index = text.indexOf(part, prefix);
  if (sought.length > chars.length || index < 0) return -1n;
  return BigInt([...text.slice(0, index)].length);
}

function lastIndexOf(text: string, part: string, offset?: bigint): bigint {
  const chars = [...text];
  if (offset === undefined) {
    if (part === "") return BigInt(chars.length);
    const index = text.lastIndexOf(part);
    return index < 0 ? -1n : BigInt([...text.slice(0, index)].length);
  }
  if (part === "") return offset;
  if (offset < 0n) throw outOfRange(offset);
  if (offset >= BigInt(chars.length)) return -1n;
  const index = text.lastIndexOf(part, chars.slice(0, Number(offset)).join("").length);
  return index < 0 ? -1n : BigInt([...text.slice(0, index)].length);
}

function substring(text: string, start: bigint, end?: bigint): string {
  const chars = [...text];
  const size = BigInt(chars.length);
  if (end !== undefined && start > end) {
    throw new EvaluationError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (start < 0n || start > size) throw outOfRange(start);
  if (end !== undefined && (end < 0n || end > size)) throw outOfRange(end);
  return chars.slice(Number(start), end === undefined ? undefined : Number(end)).join("");
}

function replace(text: string, old: string, replacement: string, limit = -1n): string {
  if (limit === 0n) return text;
  const parts = old === "" ? ["", ...text, ""] : text.split(old);
  if (old === "" && limit < 0n) return replacement + [...text].map((char) => char + replacement).join("");
  const count = limit < 0n ? parts.length - 1 : Math.min(Number(limit), parts.length - 1);
  if (old === "") {
    const chars = [...text];
    const replaced = chars
      .slice(0, count)
      .map((char) => replacement + char)
      .join("");
    return replaced + (count > chars.length ? replacement : chars.slice(count).join(""));
  }
  return (
    parts.slice(0, count + 1).join(replacement) +
    parts
      .slice(count + 1)
      .map((part) => old + part)
      .join("")
  );
}

function split(text: string, separator: string, limit = -1n): ListValue {
  if (limit === 0n) return new ArrayList([]);
  const parts = separator === "" ? [...text] : text.split(separator);
  if (limit < 0n || BigInt(parts.length) <= limit) return new ArrayList(parts);
  const count = Number(limit);
  return new ArrayList([...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)]);
}

const space = "\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const trimPattern = new RegExp(`^[${space}]+|(?<![${space}])[${space}]+$`, "g");

function quote(text: string): string {
  const escapes: Record<string, string> = {
    "\x07": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
    "\\": "\\\\",
    '"': '\\"',
  };
  return `"${[...text].map((char) => escapes[char] ?? char).join("")}"`;
}

/**
 * Declares the functions of texts.
 *
 * @param functions - receives the declarations
 */
export function defineStrings(functions: Functions): void {
  define(functions, "charAt", ["string_char_at_int", "string.(int) -> string", charAt]);
  define(
    functions,
    "indexOf",
    ["string_index_of_string", "string.(string) -> int", indexOf],
    ["string_index_of_string_int", "string.(string, int) -> int", indexOf],
  );
  define(
    functions,
    "lastIndexOf",
    ["string_last_index_of_string", "string.(string) -> int", lastIndexOf],
    ["string_last_index_of_string_int", "string.(string, int) -> int", lastIndexOf],
  );
  define(functions, "lowerAscii", [
    "string_lower_ascii",
    "string.() -> string",
    (text: string) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase()),
  ]);
  define(functions, "upperAscii", [
    "string_upper_ascii",
    "string.() -> string",
    (text: string) => text.replace(/[a-z]+/g, (part) => part.toUpperCase()),
  ]);
  define(
    functions,
    "replace",
    ["string_replace_string_string", "string.(string, string) -> string", replace],
    ["string_replace_string_string_int", "string.(string, string, int) -> string", replace],
  );
  define(
    functions,
    "split",
    ["string_split_string", "string.(string) -> list(string)", split],
    ["string_split_string_int", "string.(string, int) -> list(string)", split],
  );
  define(
    functions,
    "substring",
    ["string_substring_int", "string.(int) -> string", substring],
    ["string_substring_int_int", "string.(int, int) -> string", substring],
  );
  define(functions, "trim", ["string_trim", "string.() -> string", (text: string) => text.replace(trimPattern, "")]);
  define(functions, "format", ["string_format", "string.(list(dyn)) -> string", formatText]);
  define(functions, "strings.quote", ["strings_quote", "(string) -> string", quote]);
  const join = (list: ListValue, separator = "") =>
    [...list]
      .map((item) => {
        if (typeof item !== "string") throw new EvaluationError(`join: invalid input: ${String(item)}`);
        return item;
      })
      .join(separator);
  define(
    functions,
    "join",
    ["list_join", "list(string).() -> string", join],
    ["list_join_string", "list(string).(string) -> string", join],
  );
}
