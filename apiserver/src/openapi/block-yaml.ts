import type { Json, JsonObject } from "../json/json.ts";

const indentWidth = 4;

/** Texts that never need quotes unless they look like another type. */
const simple = /^[A-Za-z_/][\w./-]*$/;
const word = /^(?:true|True|TRUE|false|False|FALSE|null|Null|NULL|~|)$/;
const number = /^[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[\da-fA-F_]+|[\d_]+|(?:\.\d+|\d[\d_]*(?:\.\d*)?)(?:[eE][-+]?\d+)?)$/;
const special = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const time = /^\d{4}-\d\d?-\d\d?(?:(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?)?)?$/;

/** Texts that need quotes because a part of them has a meaning in YAML. */
const indicators = /^[#,[\]{}&*!|>'"%@`]|^[-?:](?: |$)|:(?: |$)| #|[\u2028\u2029]|^(?:---|\.\.\.)|^ | $/;
/** Characters that are only possible as escapes in double quotes. */
const unprintable = /[^ -~\xA0-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD]/u;

/**
 * Encodes a value as YAML in block style, as gnostic writes values of any type in OpenAPI v2.
 *
 * @param value - the value; fields keep their order
 * @returns the YAML, with an end of line
 */
export function blockYaml(value: Json): string {
  return `${block(value, 0, "", indentWidth).slice(1)}\n`;
}

/**
 * Encodes a value behind a key or a dash.
 *
 * @param value - the value
 * @param indent - the column of a map or a list
 * @param first - the beginning of the first line of a map or a list: a new line, or nothing behind a dash
 * @param textIndent - the column of a text with several lines
 * @returns the text, which starts with a space if it stays on the line
 */
function block(value: Json, indent: number, first: string, textIndent: number): string {
  const start = `\n${" ".repeat(indent)}`;
  const separated = (parts: string[]): string => `${first === "" ? " " : start}${parts.join(start)}`;
  const nested = indentWidth * (Math.floor(indent / indentWidth) + 1);
  if (Array.isArray(value)) {
    if (value.length === 0) return " []";
    return separated(value.map((item) => `-${block(item, indent + 2, "", indent + 2)}`));
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value as JsonObject);
    if (entries.length === 0) return " {}";
    return separated(entries.map(([key, one]) => `${keyText(key)}:${block(one as Json, nested, "\n", nested)}`));
  }
  return ` ${typeof value === "string" ? scalar(value, textIndent) : JSON.stringify(value)}`;
}

/** Reports whether a text without quotes would be read as another type. */
const isAmbiguous = (text: string): boolean => [word, number, special, time].some((pattern) => pattern.test(text));

function keyText(text: string): string {
  return text.includes("\n") ? quoted(text) : scalar(text, 0);
}

function scalar(text: string, indent: number): string {
  if (simple.test(text) && !word.test(text)) return text;
  if (text.includes("\n")) return literal(text, indent);
  if (isAmbiguous(text) || unprintable.test(text)) return quoted(text);
  return indicators.test(text) ? `'${text.replaceAll("'", "''")}'` : text;
}

/** Encodes a text with several lines. Spaces at the ends of lines are only possible in quotes. */
function literal(text: string, indent: number): string {
  if (/ \n| $/.test(text) || unprintable.test(text.replaceAll("\n", ""))) return quoted(text);
  const hint = /^[ \n]/.test(text) ? indentWidth : "";
  const end = !text.endsWith("\n") ? "-" : /\n\n$|^\n$/.test(text) ? "+" : "";
  const lines = text.replace(/\n$/, "").split("\n");
  return `|${hint}${end}${lines.map((line) => (line === "" ? "\n" : `\n${" ".repeat(indent)}${line}`)).join("")}`;
}

const escapes: Readonly<Record<string, string>> = {
  ...{ "\0": "0", "\x07": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", "\x1b": "e" },
  ...{ '"': '"', "\\": "\\", "\x85": "N" },
};

function quoted(text: string): string {
  const chars = Array.from(text, (char) => {
    const escaped = escapes[char];
    if (escaped !== undefined) return `\\${escaped}`;
    if (!unprintable.test(char)) return char;
    const code = char.codePointAt(0) as number;
    const hex = code.toString(16).toUpperCase();
    if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
    return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
  });
  return `"${chars.join("")}"`;
}
