// All output for terminals goes through this file. It escapes control characters in foreign text, but keeps our own colors.

import { escapeForLine, escapeForTerminal, escapeInvisible } from "./characters.ts";

/** Marks our own escape sequences until they are printed. It is random, so that no file can contain it. */
const mark = `kubewright-${Math.random().toString(36).slice(2)}-${Math.random().toString(36).slice(2)}-`;
const ownSequence = new RegExp(`\u001b\\[${mark}(\\d+)m`, "g");

/** Colors a text, by ANSI code. {@link terminalText} converts the result to the real escape sequence. */
export function styled(code: number, text: string): string {
  return `\u001b[${mark}${code}m${text}\u001b[${mark}0m`;
}

/** Makes a text safe for a terminal. Line breaks and tabs stay. */
export function terminalText(text: string): string {
  return withOwnSequences(text, escapeForTerminal);
}

/** Makes a text safe for one line of a terminal. */
export function terminalLine(text: string): string {
  return withOwnSequences(text, escapeForLine);
}

/** Returns a value as JSON on one line that is safe for a terminal. */
export function terminalJson(value: unknown): string {
  return escapeInvisible(JSON.stringify(value));
}

function withOwnSequences(text: string, escaped: (text: string) => string): string {
  return text
    .split(ownSequence)
    .map((part, index) => (index % 2 === 0 ? escaped(part) : `\u001b[${part}m`))
    .join("");
}
