import { readsAsOther } from "./yaml-plain.ts";

/** The position of a scalar's text, and the indentation of its continuation lines. */
export interface ScalarPlace {
  /** 0-based column of the first character. */
  readonly column: number;
  readonly indent: number;
  /** Keys must fit on one line. */
  readonly isKey: boolean;
}

const WIDTH = 80;
const BREAK = "[\\n\\u2028\\u2029]";

/** Characters that need an escape: controls, surrogates (so all beyond U+FFFF), the byte order mark. */
const SPECIAL = /[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;
const HAS_BREAK = new RegExp(BREAK);
const SPACE_AT_BREAK = new RegExp(` ${BREAK}`);
const BREAK_THEN_SPACE = new RegExp(`${BREAK} `);
const EDGE = /^[ \n\u2028\u2029]|[ \n\u2028\u2029]$/;
/** Text with a special meaning in YAML at its position, so that it can't be a plain scalar. */
const INDICATOR = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?-](?:[ \t]|$))|:(?:[ \t]|$)|[ \t\r\n\u0085\u2028\u2029\0]#/;
/** One line of ASCII that begins with a letter, without special characters of YAML. */
const ORDINARY = /^[A-Za-z][\x20-\x7e]*$/;
const SURELY_PLAIN = /^[A-Za-z/_][\w./-]*$/;

/** Returns whether a key fits on one line before its colon; longer ones take the form `? key`. */
export function isSimpleKey(key: string): boolean {
  if (SURELY_PLAIN.test(key) && key.length <= 128) return true;
  return !HAS_BREAK.test(key) && !/[\r\u0085]/.test(key) && Buffer.byteLength(key) <= 128;
}

/** Formats a string in the first style that can represent it: plain, literal block, single-quoted, double-quoted. */
export function writeString(text: string, place: ScalarPlace): string {
  if (SURELY_PLAIN.test(text) && !readsAsOther(text)) return text;
  if (isOrdinary(text)) return fold(text, place);
  const special = SPECIAL.test(text) || SPACE_AT_BREAK.test(text);
  if (text.includes("\n") && !place.isKey) {
    return special || text.endsWith(" ") ? doubleQuoted(text, place) : literal(text, place.indent);
  }
  if (special || text.includes("\n") || readsAsOther(text)) return doubleQuoted(text, place);
  const plain = !HAS_BREAK.test(text) && !EDGE.test(text) && !INDICATOR.test(text);
  if (plain) return fold(text, place);
  return BREAK_THEN_SPACE.test(text) ? doubleQuoted(text, place) : singleQuoted(text, place);
}

/** Returns whether a string is one line of plain English, as most descriptions are. This is a fast path. */
function isOrdinary(text: string): boolean {
  return (
    ORDINARY.test(text) &&
    !text.includes(": ") &&
    !text.includes(" #") &&
    !text.endsWith(":") &&
    !text.endsWith(" ") &&
    !readsAsOther(text)
  );
}

/** Breaks long lines at single spaces. */
function fold(text: string, { column, indent, isKey }: ScalarPlace): string {
  if (isKey || column + text.length <= WIDTH) return text;
  let out = "";
  let from = 0;
  let start = -column;
  for (let at = text.indexOf(" "); at >= 0; at = text.indexOf(" ", at + 1)) {
    if (at - start <= WIDTH || text[at + 1] === " " || text[at - 1] === " ") continue;
    out += `${text.slice(from, at)}\n${" ".repeat(indent)}`;
    from = at + 1;
    start = from - indent;
  }
  return out + text.slice(from);
}

function singleQuoted(text: string, { column, indent, isKey }: ScalarPlace): string {
  const last = text.length - 1;
  let out = "'";
  let at = column + 1;
  let afterSpace = false;
  let afterBreak = false;
  for (let index = 0; index <= last; index++) {
    const character = text[index]!;
    if (character === " ") {
      if (!isKey && !afterSpace && at > WIDTH && index > 0 && index < last && text[index + 1] !== " ") {
        out += `\n${" ".repeat(indent)}`;
        at = indent;
      } else {
        out += " ";
        at++;
      }
      afterSpace = true;
      continue;
    }
    if (HAS_BREAK.test(character)) {
      out += character;
      at = 0;
      afterBreak = true;
      continue;
    }
    if (afterBreak) {
      out += " ".repeat(indent);
      at = indent;
    }
    out += character === "'" ? "''" : character;
    at += character === "'" ? 2 : 1;
    afterSpace = false;
    afterBreak = false;
  }
  return `${out}'`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\0": "0",
  "\x07": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  "\x1b": "e",
  '"': '"',
  "\\": "\\",
  "\u0085": "N",
  "\u00a0": "_",
  "\u2028": "L",
  "\u2029": "P",
};

function doubleQuoted(text: string, { column, indent, isKey }: ScalarPlace): string {
  // Go's YAML only looks for the byte order mark at the start, and escapes everything after it.
  const escapeAll = text.startsWith("\ufeff");
  const characters = [...text];
  const last = characters.length - 1;
  let out = '"';
  let at = column + 1;
  let afterSpace = false;
  for (const [index, character] of characters.entries()) {
    const mustEscape = SPECIAL.test(character) || HAS_BREAK.test(character) || character === '"' || character === "\\";
    if (mustEscape || escapeAll) {
      const written = escaped(character);
      out += written;
      at += written.length;
      afterSpace = false;
    } else if (character === " ") {
      if (!isKey && !afterSpace && at > WIDTH && index > 0 && index < last) {
        const keepBlank = characters[index + 1] === " " ? "\\" : "";
        out += `\n${" ".repeat(indent)}${keepBlank}`;
        at = indent + keepBlank.length;
      } else {
        out += " ";
        at++;
      }
      afterSpace = true;
    } else {
      out += character;
      at++;
      afterSpace = false;
    }
  }
  return `${out}"`;
}

function escaped(character: string): string {
  const short = ESCAPES[character];
  if (short !== undefined) return `\\${short}`;
  const code = character.codePointAt(0)!;
  const [letter, digits] = code <= 0xff ? ["x", 2] : code <= 0xffff ? ["u", 4] : ["U", 8];
  return `\\${letter}${code
    .toString(16)
    .toUpperCase()
    .padStart(digits as number, "0")}`;
}

/** Formats a literal block, `|`, with indicators for leading whitespace and for the line breaks at the end. */
function literal(text: string, indent: number): string {
  const leading = EDGE.test(text[0]!) ? "2" : "";
  const body = text.replace(/([\n\u2028\u2029])(?=[^\n\u2028\u2029])/g, `$1${" ".repeat(indent)}`);
  const first = HAS_BREAK.test(text[0]!) ? "" : " ".repeat(indent);
  return `|${leading}${chomping(text)}\n${first}${body}`;
}

function chomping(text: string): "" | "-" | "+" {
  if (!HAS_BREAK.test(text.at(-1)!)) return "-";
  return text.length === 1 || HAS_BREAK.test(text.at(-2)!) ? "+" : "";
}
