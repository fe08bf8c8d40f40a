/** Characters of the Basic Multilingual Plane that nobody sees, or that change how the text around them is shown. */
const invisible = /(?![\u{10000}-\u{10ffff}])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Characters that end a line, that a terminal obeys, or that turn the reading direction around. */
const controls = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Everything that a terminal may obey or hide; line breaks and tabs are layout. */
const forTerminals = /\r(?!\n)|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text whose invisible characters are written as `\uXXXX`, as both TypeScript and markers read them in quotes. */
export function escapeInvisible(text: string): string {
  return text.replace(invisible, escaped);
}

/** A text without control characters, line breaks included, and without characters that change the reading direction. */
export function escapeControls(text: string): string {
  return text.replace(controls, (character) => (character === "\t" ? character : escaped(character)));
}

/** A text that a terminal shows and doesn't obey: only line breaks and tabs keep their effect. */
export function escapeForTerminal(text: string): string {
  return text.replace(forTerminals, escaped);
}

/** A text of one line that a terminal shows and doesn't obey. */
export function escapeForLine(text: string): string {
  return escapeForTerminal(text).replace(/[\t\r\n]/g, escaped);
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
