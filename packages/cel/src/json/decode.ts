import { isObject, type Json, type JsonObject } from "./json.ts";
import { rememberText } from "./notation.ts";
import { getKey } from "./object.ts";
import { countKeys, outlineOf } from "./outline.ts";

/** A text that isn't JSON, with the message of the server's decoder. */
export class JsonSyntaxError extends Error {
  /** @param message - the message, for example `unexpected end of JSON input` */
  constructor(message: string) {
    super(message);
    this.name = "JsonSyntaxError";
  }
}

/** A decoded document. */
export interface DecodedJson {
  value: Json;
  /** The paths of keys that occur more than once in an object, for example `spec.list[0].a`; at most 100. */
  duplicates: string[];
}

/** The number of levels that objects and lists may be nested. */
export const maxDepth = 10_000;

const maxDuplicates = 100;
/**
 * Matches what the parser of JavaScript reads differently: long integers, and surrogates. Numbers begin after a separator, while the
 * hexadecimal digits of UIDs and hashes, which look like such numbers, mostly don't.
 */
const needsOwnParser = /(?:^|[\s:,[])-?\d{16}|\\u[dD][89a-fA-F]/;
/** Matches numbers whose text is remembered: with an exponent, or with a fraction that ends in zero. */
const unusualNumber = /(?:^|":|[,[])\s*-?\d+(?:\.\d*0(?!\d)|(?:\.\d+)?[eE])/;
const longInteger = /(?:^|[\s:,[])-?\d{16}/;

/**
 * Decodes JSON as the server does: the last of several equal keys wins, integers of 64 bits are exact.
 *
 * Integers beyond 2^53 that fit into 64 bits are values of type `bigint`; all other numbers are numbers.
 *
 * @param text - the document
 * @returns the value and the paths of duplicate keys
 * @throws {@link JsonSyntaxError} if the text isn't JSON, is nested too deeply, or has a number that is too large
 */
export function decodeJson(text: string): DecodedJson {
  if (!needsOwnParser.test(text) && !unusualNumber.test(text)) {
    const outline = outlineOf(text);
    if (outline.depth <= maxDepth) {
      try {
        const value = JSON.parse(text) as Json;
        if (countKeys(value) === outline.colons) return { value, duplicates: [] };
      } catch {
        // The parser below finds the position and the message.
      }
    }
  }
  return new Parser(text).parse();
}

/**
 * Decodes JSON as {@link decodeJson} does, and remembers also how strings were written, for {@link writtenText}.
 *
 * @param text - the document
 * @returns the value and the paths of duplicate keys
 * @throws {@link JsonSyntaxError} as {@link decodeJson}
 */
export function decodeWithTexts(text: string): DecodedJson {
  return new Parser(text, { keepsStrings: true }).parse();
}

/**
 * Decodes JSON as Go does into a struct: of several equal keys, the last one wins, unless both values are objects, whose keys are
 * joined.
 *
 * @param text - a document that {@link decodeJson} accepts
 * @returns the value
 */
export function decodeJoined(text: string): Json {
  return new Parser(text, { joins: true }).parse().value;
}

/**
 * Finds the positions of keys in a document.
 *
 * @param text - a document that {@link decodeJson} accepts
 * @returns the position of the last occurrence of each key, by its path
 */
export function keyPositions(text: string): Map<string, number> {
  const positions = new Map<string, number>();
  new Parser(text, { onKey: (path, at) => positions.set(path, at) }).parse();
  return positions;
}

/**
 * Parses JSON that the server wrote. Integers of 64 bits are exact, as in {@link decodeJson}.
 *
 * @param text - the document
 * @returns the value
 */
export function parseJson(text: string): Json {
  return longInteger.test(text) ? decodeJson(text).value : (JSON.parse(text) as Json);
}

interface Level {
  list?: Json[];
  object?: JsonObject;
  key: string;
}

const literals: Record<string, Json> = { true: true, false: false, null: null };
const escapes: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\", "/": "/" };

interface ParserOptions {
  onKey?: (path: string, at: number) => void;
  keepsStrings?: boolean;
  joins?: boolean;
}

class Parser {
  readonly #text: string;
  #at = 0;
  readonly #levels: Level[] = [];
  readonly #duplicates = new Set<string>();
  #tooLarge: string | undefined;
  /** The text of the last scalar, if it is to be remembered. */
  #written: string | undefined;
  readonly #options: ParserOptions;

  constructor(text: string, options: ParserOptions = {}) {
    this.#text = text;
    this.#options = options;
  }

  parse(): DecodedJson {
    let value = this.#open();
    for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
      if (value !== undefined) this.#store(level, value);
      value = this.#next(level, value !== undefined);
    }
    this.#skipBlank();
    if (this.#at < this.#text.length) this.#fail("after top-level value");
    if (this.#tooLarge !== undefined) {
      throw new JsonSyntaxError(`json: cannot unmarshal number ${this.#tooLarge} into Go value of type float64`);
    }
    return { value: value as Json, duplicates: [...this.#duplicates] };
  }

  /** Reads a scalar, or opens an object or list: then the result is `undefined`. */
  #open(): Json | undefined {
    this.#skipBlank();
    const char = this.#text[this.#at];
    if (char === "{" || char === "[") {
      this.#at++;
      this.#levels.push(char === "{" ? { object: this.#newObject(), key: "" } : { list: [], key: "" });
      if (this.#levels.length > maxDepth) throw new JsonSyntaxError(`invalid character '${char}' exceeded max depth`);
      return undefined;
    }
    if (char === '"') return this.#stringValue();
    if (char === "-" || (char !== undefined && char >= "0" && char <= "9")) return this.#number();
    for (const literal of ["true", "false", "null"]) {
      if (char === literal[0]) return this.#literal(literal);
    }
    return this.#fail("looking for beginning of value");
  }

  /** Returns the object to fill: a new one, or the one that a previous occurrence of the key has. */
  #newObject(): JsonObject {
    const level = this.#levels.at(-1);
    const former = this.#options.joins && level?.object ? getKey(level.object, level.key) : undefined;
    return isObject(former) ? former : {};
  }

  /** Reads up to the next value of the innermost object or list, or closes it and returns it. */
  #next(level: Level, afterValue: boolean): Json | undefined {
    this.#skipBlank();
    const close = level.list ? "]" : "}";
    const char = this.#text[this.#at];
    const empty = !afterValue;
    if (char === close) {
      this.#at++;
      this.#levels.pop();
      return (level.list ?? level.object) as Json;
    }
    if (!empty) {
      if (char !== ",") this.#fail(level.list ? "after array element" : "after object key:value pair");
      this.#at++;
      this.#skipBlank();
    }
    if (level.list) return this.#open();
    if (this.#text[this.#at] !== '"') this.#fail("looking for beginning of object key string");
    level.key = this.#string();
    this.#options.onKey?.(this.#path(), this.#at);
    if (Object.hasOwn(level.object as JsonObject, level.key)) this.#noteDuplicate();
    this.#skipBlank();
    if (this.#text[this.#at] !== ":") this.#fail("after object key");
    this.#at++;
    return this.#open();
  }

  #store(level: Level, value: Json): void {
    if (this.#written !== undefined) {
      if (level.list) rememberText(level.list, level.list.length, this.#written);
      else rememberText(level.object as JsonObject, level.key, this.#written);
      this.#written = undefined;
    }
    if (level.list) level.list.push(value);
    else if (level.key !== "__proto__") (level.object as JsonObject)[level.key] = value;
    else {
      const property = { value, enumerable: true, configurable: true, writable: true };
      Object.defineProperty(level.object, level.key, property);
    }
  }

  #noteDuplicate(): void {
    if (this.#duplicates.size < maxDuplicates) this.#duplicates.add(this.#path());
  }

  #path(): string {
    let path = "";
    for (const level of this.#levels) {
      if (level.list) path += `[${level.list.length}]`;
      else path += path === "" ? level.key : `.${level.key}`;
    }
    return path;
  }

  #stringValue(): string {
    const start = this.#at;
    const value = this.#string();
    if (this.#options.keepsStrings) this.#written = this.#text.slice(start, this.#at);
    return value;
  }

  #string(): string {
    let result = "";
    this.#at++;
    for (;;) {
      const char = this.#text[this.#at];
      if (char === undefined) return this.#fail("in string literal");
      if (char === '"') break;
      if (char < " ") return this.#fail("in string literal");
      this.#at++;
      result += char === "\\" ? this.#escape() : char;
    }
    this.#at++;
    return result.replace(/\p{Surrogate}/gu, "\ufffd");
  }

  #escape(): string {
    const char = this.#text[this.#at];
    if (char === "u") {
      let code = 0;
      for (let digits = 0; digits < 4; digits++) {
        this.#at++;
        const digit = this.#text[this.#at];
        if (digit === undefined || !/[0-9a-fA-F]/.test(digit)) this.#fail("in \\u hexadecimal character escape");
        code = code * 16 + Number.parseInt(digit as string, 16);
      }
      this.#at++;
      return String.fromCharCode(code);
    }
    const plain = char === undefined ? undefined : escapes[char];
    if (plain === undefined) return this.#fail("in string escape code");
    this.#at++;
    return plain;
  }

  #literal(expected: string): Json {
    for (let index = 1; index < expected.length; index++) {
      this.#at++;
      if (this.#text[this.#at] !== expected[index]) {
        this.#fail(`in literal ${expected} (expecting '${expected[index]}')`);
      }
    }
    this.#at++;
    return literals[expected] as Json;
  }

  #number(): Json {
    const start = this.#at;
    if (this.#text[this.#at] === "-") this.#at++;
    if (this.#text[this.#at] === "0") this.#at++;
    else this.#digits("in numeric literal");
    if (this.#text[this.#at] === ".") {
      this.#at++;
      this.#digits("after decimal point in numeric literal");
    }
    const exponent = this.#text[this.#at];
    if (exponent === "e" || exponent === "E") {
      this.#at++;
      if (this.#text[this.#at] === "+" || this.#text[this.#at] === "-") this.#at++;
      this.#digits("in exponent of numeric literal");
    }
    return this.#valueOfNumber(this.#text.slice(start, this.#at));
  }

  #valueOfNumber(text: string): Json {
    const value = Number(text);
    if (/^-?\d+$/.test(text) && !Number.isSafeInteger(value)) {
      const exact = BigInt(text);
      if (BigInt.asIntN(64, exact) === exact) return exact as unknown as Json;
    }
    if (!Number.isFinite(value)) this.#tooLarge ??= text;
    if (JSON.stringify(value) !== text) this.#written = text;
    return Object.is(value, -0) && !/[.eE]/.test(text) ? 0 : value;
  }

  #digits(context: string): void {
    const start = this.#at;
    for (let code = this.#text.charCodeAt(this.#at); code >= 48 && code <= 57; ) {
      this.#at++;
      code = this.#text.charCodeAt(this.#at);
    }
    if (this.#at === start) this.#fail(context);
  }

  #skipBlank(): void {
    for (;;) {
      const char = this.#text[this.#at];
      if (char !== " " && char !== "\n" && char !== "\r" && char !== "\t") return;
      this.#at++;
    }
  }

  #fail(context: string): never {
    if (this.#at >= this.#text.length) throw new JsonSyntaxError("unexpected end of JSON input");
    throw new JsonSyntaxError(`invalid character ${quotedByte(this.#text, this.#at)} ${context}`);
  }
}

/** Quotes the first byte of a character, as the server's decoder reads bytes. */
function quotedByte(text: string, at: number): string {
  const char = String.fromCodePoint(text.codePointAt(at) as number);
  const byte = new TextEncoder().encode(char)[0] as number;
  if (byte === 39) return "'\\''";
  if (byte === 34) return "'\"'";
  const short: Record<number, string> = { 7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 92: "\\" };
  if (short[byte] !== undefined) return `'\\${short[byte]}'`;
  if (byte < 32 || byte === 127) return `'\\x${byte.toString(16).padStart(2, "0")}'`;
  if ((byte >= 0x80 && byte <= 0xa0) || byte === 0xad) return `'\\u00${byte.toString(16)}'`;
  return `'${String.fromCharCode(byte)}'`;
}

/**
 * Names the kind of a value as Go's errors of mismatched types do.
 *
 * @param value - the value
 * @returns `array`, `object`, `string`, `number`, `bool` or `null`
 */
export function jsonKind(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value === "bigint" ? "number" : typeof value;
}

/**
 * Returns the reason why a text isn't JSON, as Go's standard library words it. If the text ends too early, the message
 * may name a space, which Go reads after the end.
 *
 * @param text - the text
 * @returns the message, or `undefined` if the text is JSON
 */
export function jsonProblem(text: string): string | undefined {
  try {
    decodeJson(`${text} `);
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return error.message;
  }
}
