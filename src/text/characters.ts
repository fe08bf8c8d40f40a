/** Characters of the Basic Multilingual Plane that are invisible, or that change how the text around them is displayed. */
const invisible = /(?![\u{10000}-\u{10ffff}])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Control characters, line separators, and characters that change the text direction. */
const controls = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Characters that a terminal interprets or hides, except line breaks and tabs. */
const forTerminals = /\r(?!\n)|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Escapes invisible characters as `\uXXXX`, which both TypeScript and markers understand in quotes. */
export function escapeInvisible(text: string): string {
  return text.replace(invisible, escaped);
}

/** Escapes control characters, including line breaks, and characters that change the text direction. */
export function escapeControls(text: string): string {
  return text.replace(controls, (character) => (character === "\t" ? character : escaped(character)));
}

/** Escapes characters that a terminal interprets or hides, except line breaks and tabs. */
export function escapeForTerminal(text: string): string {
  return text.replace(forTerminals, escaped);
}

/** Escapes characters that a terminal interprets or hides, including line breaks and tabs. */
export function escapeForLine(text: string): string {
  return escapeForTerminal(text).replace(/[\t\r\n]/g, escaped);
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
