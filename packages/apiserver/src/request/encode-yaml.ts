import { goFloat, type Json, type JsonObject } from "@kubewright/cel/json";
import { isPlainOfOtherType } from "@kubewright/cel/yaml";
import { StatusError } from "../model/status.ts";
import { type TextStyle, yamlScalar } from "./yaml-scalar.ts";

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

const indentWidth = 2;

const style: TextStyle = {
  indentWidth,
  isAmbiguous: (text) => isPlainOfOtherType(text) || base60.test(text),
};

/** Characters in JSON that the reader of Go's YAML refuses. */
const control = /[\x7F-\x84\x86-\x9F\uFFFE\uFFFF]/;

/**
 * Encodes a document as Go's YAML does: sorted keys, and double quotes around texts that look like values of other types.
 *
 * @param document - the document
 * @returns the YAML
 * @throws StatusError (500) for control characters, because the real server reads the JSON of the document as YAML
 */
export function encodeYaml(document: JsonObject): string {
  return `${block(document, 0, "")}\n`;
}

/**
 * Encodes a value behind a key or a dash.
 *
 * @param value - the value
 * @param column - the column of the parts of a map
 * @param start - the beginning of the line up to the value
 * @param listColumn - the column of the items of a list
 * @returns the lines of the value, the first of which is without the indentation
 */
function block(value: Json, column: number, start: string, listColumn = column): string {
  if (Array.isArray(value) && value.length > 0) {
    const indent = " ".repeat(listColumn);
    return value.map((item) => `- ${block(item, listColumn + indentWidth, `${indent}- `)}`).join(`\n${indent}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    if (keys.length > 0) {
      const indent = " ".repeat(column);
      return keys
        .sort(compareKeys)
        .map((key) => entry(key, value[key] as Json, column))
        .join(`\n${indent}`);
    }
  }
  return folded(start, scalar(value, column));
}

/** Keys with more than this number of bytes have a line of their own. */
const longestKey = 128;

function entry(key: string, value: Json, column: number): string {
  const text = yamlScalar(checked(key), undefined, style);
  const head = Buffer.byteLength(key) > longestKey ? `? ${text}\n${" ".repeat(column)}:` : `${text}:`;
  const isEmpty = typeof value !== "object" || value === null || Object.keys(value).length === 0;
  const inner = column + indentWidth;
  if (isEmpty) return `${head} ${block(value, inner, `${" ".repeat(column)}${head.split("\n").at(-1)} `)}`;
  const isList = Array.isArray(value);
  return `${head}\n${" ".repeat(isList ? column : inner)}${block(value, inner, "", column)}`;
}

function scalar(value: Json, indent: number): string {
  if (typeof value === "string") return yamlScalar(checked(value), indent, style);
  if (typeof value === "number") {
    const isInteger = Number.isInteger(value) && value < 2 ** 64 && value >= -(2 ** 63);
    return isInteger ? JSON.stringify(value) : goFloat(value);
  }
  if (Array.isArray(value)) return "[]";
  return typeof value === "object" && value !== null ? "{}" : String(value);
}

/** The reader of the JSON treats U+0085 as the end of a line, which becomes a space. */
function checked(text: string): string {
  if (control.test(text)) throw new StatusError(500, "", "yaml: control characters are not allowed");
  return text.replace(/(?<![ \t])[ \t]*\x85[ \t]*/g, " ");
}

const letter = /\p{L}/u;
const digit = /\d/;

/** Compares keys as Go's YAML sorts them: letters after other characters, and digits as numbers. */
function compareKeys(left: string, right: string): number {
  const [a, b] = [Array.from(left), Array.from(right)];
  for (let index = 0; index < a.length && index < b.length; index++) {
    const [x, y] = [a[index] as string, b[index] as string];
    if (x === y) continue;
    if (letter.test(x) || letter.test(y)) {
      if (letter.test(x) && letter.test(y)) return (x.codePointAt(0) as number) - (y.codePointAt(0) as number);
      return letter.test(y) ? -1 : 1;
    }
    const [m, n] = [digitsFrom(a, index), digitsFrom(b, index)];
    const lead = leadingDigit(a, index, x, y);
    return (
      Number(lead + m) - Number(lead + n) ||
      m.length - n.length ||
      (x.codePointAt(0) as number) - (y.codePointAt(0) as number)
    );
  }
  return a.length - b.length;
}

function digitsFrom(text: readonly string[], from: number): string {
  let end = from;
  while (end < text.length && digit.test(text[end] as string)) end++;
  return text.slice(from, end).join("");
}

/** A zero counts as a digit of a number only if other digits than zeros are before it. */
function leadingDigit(text: readonly string[], index: number, x: string, y: string): string {
  if (x !== "0" && y !== "0") return "";
  for (let before = index - 1; before >= 0 && digit.test(text[before] as string); before--) {
    if (text[before] !== "0") return "1";
  }
  return "";
}

const lineWidth = 80;

/** Breaks a text at the first space after the column 80, as Go's YAML does. Texts of several lines are kept. */
function folded(start: string, text: string): string {
  if (start.length + text.length <= lineWidth || text.startsWith("|")) return text;
  const column = start.search(/[^ -]|- $/);
  const line = foldLine(start + text, start.length, " ".repeat(Math.max(column, 0) + indentWidth));
  return line.slice(start.length);
}

function foldLine(line: string, start: number, indent: string): string {
  const isDouble = line[start] === '"';
  const first = isDouble || line[start] === "'" ? start + 1 : start;
  let result = line.slice(0, start);
  let column = start;
  for (let index = start; index < line.length; index++) {
    const char = line[index] as string;
    const isBreak =
      char === " " && column > lineWidth && index > first && index < line.length - 2 && line[index - 1] !== " ";
    if (isBreak && (isDouble || line[index + 1] !== " ")) {
      result += `\n${indent}${isDouble && line[index + 1] === " " ? "\\" : ""}`;
      column = indent.length;
    } else {
      result += char;
      column++;
    }
  }
  return result;
}
