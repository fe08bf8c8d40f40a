/** The scanner interface that the literal rules need. `next` returns a code point, or a negative number at the end. */
export interface CharacterReader {
  next(): number;
  error(message: string): void;
  /** The current token's text, without the character read last. */
  textSoFar(): string;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BACKTICK = 0x60;
const NEWLINE = 0x0a;
const DOT = 0x2e;
const UNDERSCORE = 0x5f;

/** Reads up to the closing quote, which becomes the last character read. */
export function scanEscapedString(reader: CharacterReader): void {
  let character = reader.next();
  while (character !== QUOTE) {
    if (character < 0 || character === NEWLINE) {
      reader.error("literal not terminated");
      return;
    }
    character = character === BACKSLASH ? scanEscape(reader) : reader.next();
  }
}

/** Reads up to the closing backtick, which becomes the last character read. */
export function scanRawString(reader: CharacterReader): void {
  let character = reader.next();
  while (character !== BACKTICK) {
    if (character < 0) {
      reader.error("literal not terminated");
      return;
    }
    character = reader.next();
  }
}

function scanEscape(reader: CharacterReader): number {
  const character = reader.next();
  if (character < 0) {
    reader.error("invalid char escape");
    return character;
  }
  const text = String.fromCodePoint(character);
  if ('abfnrtv\\"'.includes(text)) return reader.next();
  if (/[0-7]/.test(text)) return scanDigits(reader, character, 8, 3);
  if (text === "x") return scanDigits(reader, reader.next(), 16, 2);
  if (text === "u") return scanDigits(reader, reader.next(), 16, 4);
  if (text === "U") return scanDigits(reader, reader.next(), 16, 8);
  reader.error("invalid char escape");
  return character;
}

function scanDigits(reader: CharacterReader, first: number, base: number, count: number): number {
  let character = first;
  for (let left = count; left > 0; left--) {
    if (digitValue(character) >= base) {
      reader.error("invalid char escape");
      break;
    }
    character = reader.next();
  }
  return character;
}

/** Reads a Go number literal that begins with `first`; `next` is the character after it. */
export function scanNumber(
  reader: CharacterReader,
  first: number,
  dotAlreadySeen: boolean,
): { isFloat: boolean; next: number } {
  let character = first;
  let prefix = "";
  let base = 10;
  let digits = false;
  let separators = false;
  let tooBigDigit = false;
  let isFloat = dotAlreadySeen;

  const readDigits = (limit: number): boolean => {
    let any = false;
    while (character === UNDERSCORE || digitValue(character) < Math.max(limit, 10)) {
      if (character === UNDERSCORE) separators = true;
      else {
        any = true;
        if (digitValue(character) >= limit) tooBigDigit = true;
      }
      character = reader.next();
    }
    return any;
  };

  if (!dotAlreadySeen) {
    if (character === 0x30) {
      character = reader.next();
      prefix = "0";
      base = 8;
      const letter = character < 0 ? "" : String.fromCodePoint(character).toLowerCase();
      const prefixed = ({ x: 16, o: 8, b: 2 } as Record<string, number>)[letter];
      if (prefixed !== undefined && character < 0x80) {
        prefix = letter;
        base = prefixed;
        character = reader.next();
      } else {
        digits = true;
      }
    }
    digits = readDigits(base) || digits;
    if (character === DOT) {
      isFloat = true;
      character = reader.next();
    }
  }
  if (isFloat) {
    if (prefix === "o" || prefix === "b") reader.error("invalid radix point in a number");
    digits = readDigits(base) || digits;
  }
  if (!digits) reader.error("a number has no digits");

  const exponent = character < 0x80 && character >= 0 ? String.fromCharCode(character).toLowerCase() : "";
  if (exponent === "e" || exponent === "p") {
    if (exponent === "e" && prefix !== "" && prefix !== "0") reader.error("an exponent requires a decimal mantissa");
    if (exponent === "p" && prefix !== "x") reader.error("a 'p' exponent requires a hexadecimal mantissa");
    isFloat = true;
    character = reader.next();
    if (character === 0x2b || character === 0x2d) character = reader.next();
    const before = tooBigDigit;
    if (!readDigits(10)) reader.error("an exponent has no digits");
    tooBigDigit = before;
  } else if (prefix === "x" && isFloat) {
    reader.error("a hexadecimal mantissa requires a 'p' exponent");
  }
  if (!isFloat && tooBigDigit) reader.error("invalid digit in a number with a prefix");
  if (separators && !separatorsAllowed(reader.textSoFar())) reader.error("'_' must separate successive digits");
  return { isFloat, next: character };
}

/** Returns whether underscores are only between digits, or between a base prefix and a digit. */
export function separatorsAllowed(literal: string): boolean {
  const hex = /^[+-]?0[xX]/.test(literal);
  const body = literal.replace(/^[+-]?(0[xXoObB])?/, (prefix) => (/[xXoObB]/.test(prefix) ? "0" : ""));
  const digit = hex ? "[0-9a-fA-F]" : "[0-9]";
  return !new RegExp(`(^|(?!${digit})[^_])_|__|_(?!${digit})`).test(body);
}

function digitValue(character: number): number {
  if (character >= 0x30 && character <= 0x39) return character - 0x30;
  const lower = character | 0x20;
  return character > 0 && lower >= 0x61 && lower <= 0x66 && character < 0x80 ? lower - 0x61 + 10 : 16;
}
