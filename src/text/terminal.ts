// The only place that decides what a terminal gets to see. Foreign text can't give it orders; our own colors survive.

import { escapeForLine, escapeForTerminal, escapeInvisible } from "./characters.ts";

/** Stands in our own escape sequences until they are printed: no file can contain it. */
const mark = `kubewright-${Math.random().toString(36).slice(2)}-${Math.random().toString(36).slice(2)}-`;
const ownSequence = new RegExp(`\u001b\\[${mark}(\\d+)m`, "g");

/** A text in a color of ANSI, by its code; {@link terminalText} makes the real escape sequence of it. */
export function styled(code: number, text: string): string {
  return `\u001b[${mark}${code}m${text}\u001b[${mark}0m`;
}

/** A text as it may be written to a terminal, with its line breaks. */
export function terminalText(text: string): string {
  return withOwnSequences(text, escapeForTerminal);
}

/** A text as it may be written to a terminal, on one line. */
export function terminalLine(text: string): string {
  return withOwnSequences(text, escapeForLine);
}

/** A value as JSON on one line that a terminal only shows. */
export function terminalJson(value: unknown): string {
  return escapeInvisible(JSON.stringify(value));
}

function withOwnSequences(text: string, escaped: (text: string) => string): string {
  return text
    .split(ownSequence)
    .map((part, index) => (index % 2 === 0 ? escaped(part) : `\u001b[${part}m`))
    .join("");
}
