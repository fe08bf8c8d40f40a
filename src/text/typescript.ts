// The only place that turns foreign values into TypeScript: comments, string literals, names and numbers.

import { escapeControls, escapeInvisible } from "./characters.ts";

const name = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** Comments that a tool reads as an instruction: they would switch checks off. */
const directive = /^\s*(?:@(?:ts-|jsx)|#|<|biome-ignore|eslint-|prettier-ignore|(?:c8|v8|istanbul|node:coverage) )/;

/**
 * A string literal in double quotes. Markers read it in the same way.
 *
 * @param text any text
 */
export function stringLiteral(text: string): string {
  return escapeInvisible(JSON.stringify(text));
}

/**
 * A value as JSON on one line, which is also an expression of TypeScript. Integers keep all of their digits.
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
 * A name as it stands in a declaration.
 *
 * @throws Error if the text isn't an identifier: names are checked before anything is printed
 */
export function identifier(text: string): string {
  if (!name.test(text)) throw new Error(`${stringLiteral(text)} isn't an identifier`);
  return text;
}

/** A property's name: quoted if it isn't an identifier. */
export function propertyName(text: string): string {
  return name.test(text) ? text : stringLiteral(text);
}

/** A `//` comment of one line, whatever the text is. */
export function lineComment(text: string): string {
  return `// ${escapeControls(text)}`.trimEnd();
}

/**
 * A comment that describes what follows: JSDoc, or `//` lines for a text that JSDoc would read differently. Empty lines stay.
 *
 * @param lines the text's lines; in JSDoc `*\/` would end the comment, and `@` at the start of a line would begin a tag
 */
export function describingComment(lines: readonly string[]): string[] {
  const safe = lines.map((line) => escapeControls(line.replace(directive, (head) => `\\${head}`)).trimEnd());
  const plain = safe.some((line) => line.includes("*/") || line.trimStart().startsWith("@"));
  if (plain) return safe.map((line) => lineComment(line));
  const [only = "", ...others] = safe;
  if (others.length === 0) return [`/** ${only} */`];
  return ["/**", ...safe.map((line) => ` * ${line}`.trimEnd()), " */"];
}

/**
 * Whether a text holds nothing but whitespace and complete comments, as a file's header must.
 *
 * @param text the text of the header
 */
export function isComment(text: string): boolean {
  return /^(?:\s|\/\/[^\n\r\u2028\u2029]*(?:[\n\r\u2028\u2029]|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*$/.test(text);
}
