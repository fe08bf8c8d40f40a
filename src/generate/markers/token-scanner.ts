import { scanEscapedString, scanNumber, scanRawString } from "./model/literals.ts";

/** Token classes; single characters are represented by their code points. */
export const TOKEN = { end: -1, identifier: -2, int: -3, float: -5, string: -6, rawString: -7 } as const;

const UNREAD = -2;
const LETTER = /^[\p{L}_]$/u;
const DIGIT = /^\p{Nd}$/u;

export type ScanErrorHandler = (message: string, offset: number) => void;

/** Returns whether a character is whitespace between tokens. */
function isBlank(character: number): boolean {
  return character === 0x20 || character === 0x09 || character === 0x0a || character === 0x0d;
}

/** Returns the code point of a one-character string. */
export function code(character: string): number {
  return character.codePointAt(0)!;
}

/**
 * Splits a marker's arguments into tokens. controller-gen uses Go's `text/scanner`, so this class keeps the same state: one
 * character of lookahead, and a current token. Skipping whitespace discards the token's text, so bare strings lose values.
 */
export class TokenScanner {
  readonly text: string;
  /** Disabled for bare strings, so that a bare `08` isn't an error. */
  scanNumbers = true;
  /** The start of the current token. Skipping whitespace doesn't change it. */
  tokenStart = 0;
  readonly #onError: ScanErrorHandler;
  #readOffset = 0;
  #lastWidth = 0;
  #lookAhead: number = UNREAD;
  #textStart = -1;
  #textEnd = 0;

  constructor(text: string, onError: ScanErrorHandler) {
    this.text = text;
    this.#onError = onError;
  }

  /** The offset of the next character. */
  get offset(): number {
    return this.#readOffset - this.#lastWidth;
  }

  get tokenText(): string {
    return this.#textStart < 0 ? "" : this.text.slice(this.#textStart, Math.max(this.#textStart, this.#textEnd));
  }

  /** Records a problem at the current token, or at the next character if whitespace was skipped since. */
  error(message: string): void {
    this.#onError(message, this.#textStart < 0 ? this.offset : this.#textStart);
  }

  peek(): number {
    if (this.#lookAhead === UNREAD) {
      this.#lookAhead = this.#read();
      if (this.#lookAhead === 0xfeff) this.#lookAhead = this.#read();
    }
    return this.#lookAhead;
  }

  /** Skips whitespace and returns the next character. */
  peekPastBlanks(): number {
    while (isBlank(this.peek())) {
      this.#textStart = -1;
      this.#lookAhead = this.#read();
    }
    return this.peek();
  }

  /** Reads the next token and returns its class or character. */
  scan(): number {
    let next = this.peek();
    while (isBlank(next)) next = this.#read();
    this.#textStart = this.offset;
    this.tokenStart = this.#textStart;
    let token = next;
    if (next === TOKEN.end) {
      // The end has no text to read.
    } else if (isIdentifierStart(next)) {
      token = TOKEN.identifier;
      do next = this.#read();
      while (next >= 0 && isIdentifierPart(next));
    } else if (isDecimal(next)) {
      if (this.scanNumbers) [token, next] = this.#number(next, false);
      else next = this.#read();
    } else if (next === code(".")) {
      next = this.#read();
      if (this.scanNumbers && isDecimal(next)) [token, next] = this.#number(next, true);
    } else if (next === code('"')) {
      token = TOKEN.string;
      scanEscapedString(this.#reader());
      next = this.#read();
    } else if (next === code("`")) {
      token = TOKEN.rawString;
      scanRawString(this.#reader());
      next = this.#read();
    } else {
      next = this.#read();
    }
    this.#textEnd = this.offset;
    this.#lookAhead = next;
    return token;
  }

  #number(first: number, seenDot: boolean): [token: number, next: number] {
    const { isFloat, next } = scanNumber(this.#reader(), first, seenDot);
    return [isFloat ? TOKEN.float : TOKEN.int, next];
  }

  #reader() {
    return {
      next: () => this.#read(),
      error: (message: string) => this.error(message),
      textSoFar: () => this.text.slice(this.#textStart, this.offset),
    };
  }

  #read(): number {
    if (this.#readOffset >= this.text.length) {
      this.#lastWidth = 0;
      return TOKEN.end;
    }
    const character = this.text.codePointAt(this.#readOffset)!;
    this.#lastWidth = character > 0xffff ? 2 : 1;
    this.#readOffset += this.#lastWidth;
    if (character === 0) this.error("invalid character NUL");
    return character;
  }
}

function isDecimal(character: number): boolean {
  return character >= 0x30 && character <= 0x39;
}

function isIdentifierStart(character: number): boolean {
  return LETTER.test(String.fromCodePoint(character));
}

function isIdentifierPart(character: number): boolean {
  const text = String.fromCodePoint(character);
  return LETTER.test(text) || DIGIT.test(text);
}
