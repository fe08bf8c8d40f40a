// All conversions of foreign values to TypeScript are in this file: comments, string literals, names and numbers.

import { escapeControls, escapeInvisible } from "./characters.ts";

const name = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** Comments that tools interpret as directives, which could disable checks. A heading such as `## Usage` isn't one. */
const directive =
  /^\s*(?:@(?:ts-|jsx)|#(?:__|(?:end)?region|\s*source(?:Mapping)?URL)|biome-ignore|eslint-|prettier-ignore|tslint:|(?:c8|v8|istanbul|node:coverage) )/;

/**
 * Returns a string literal in double quotes, which is also valid in markers.
 *
 * @param text any text
 */
export function stringLiteral(text: string): string {
  return escapeInvisible(JSON.stringify(text));
}

/**
 * Returns a value as JSON on one line, which is also a TypeScript expression. Integers keep all digits.
 *
 * @param value plain data
 */
export function jsonLiteral(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(jsonLiteral).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value)
      .map(([key, each]) => `${stringLiteral(key)}:${jsonLiteral(each)}`)
      .join(",")}}`;
  }
  return typeof value === "string" ? stringLiteral(value) : JSON.stringify(value);
}

/**
 * Returns a name for a declaration.
 *
 * @throws Error if the text isn't an identifier
 */
export function identifier(text: string): string {
  if (!name.test(text)) throw new Error(`${stringLiteral(text)} isn't an identifier`);
  return text;
}

/** Returns a property name, quoted if it isn't an identifier. */
export function propertyName(text: string): string {
  return name.test(text) ? text : stringLiteral(text);
}

/**
 * Returns a value as a TypeScript expression with a line per field. Integers keep all digits.
 *
 * @param value plain data
 * @param indent the indentation of the line on which the expression begins
 */
export function valueLiteral(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  const isNested = (each: unknown): boolean => typeof each === "object" && each !== null;
  if (Array.isArray(value)) {
    if (!value.some(isNested)) return `[${value.map(jsonLiteral).join(", ")}]`;
    return `[\n${value.map((each) => `${inner}${valueLiteral(each, inner)},\n`).join("")}${indent}]`;
  }
  if (typeof value !== "object" || value === null) return jsonLiteral(value);
  const fields = Object.entries(value);
  if (fields.length === 0) return "{}";
  const lines = fields.map(([key, each]) => `${inner}${propertyName(key)}: ${valueLiteral(each, inner)},\n`);
  return `{\n${lines.join("")}${indent}}`;
}

/** Returns a one-line `//` comment for any text. */
export function lineComment(text: string): string {
  return `// ${escapeControls(text)}`.trimEnd();
}

/**
 * Returns a descriptive comment: JSDoc, or `//` lines for a text that JSDoc would interpret. Empty lines stay.
 *
 * @param lines the text's lines; in JSDoc `*\/` would end the comment, and `@` at the start of a line would begin a tag
 */
export function describingComment(lines: readonly string[]): string[] {
  const safe = describingText(lines);
  const plain = safe.some((line) => line.includes("*/") || line.trimStart().startsWith("@"));
  if (plain) return safe.map((line) => lineComment(line));
  const [only = "", ...others] = safe;
  if (others.length === 0) return [`/** ${only} */`];
  return ["/**", ...safe.map((line) => ` * ${line}`.trimEnd()), " */"];
}

/** Returns the lines of a descriptive comment without its signs: control characters and directives of tools are escaped. */
export function describingText(lines: readonly string[]): string[] {
  return lines.map((line) => escapeControls(line.replace(directive, (head) => `\\${head}`)).trimEnd());
}

/**
 * Whether a text contains only whitespace and complete comments, which a file header requires.
 *
 * @param text the text of the header
 */
export function isComment(text: string): boolean {
  return /^(?:\s|\/\/[^\n\r\u2028\u2029]*(?:[\n\r\u2028\u2029]|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*$/.test(text);
}
