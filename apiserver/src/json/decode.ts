import { goQuote } from "../request/field-error.ts";
import type { Json, JsonObject } from "./json.ts";
import { setKey } from "./object.ts";

/** Malformed JSON, with the message of Go's decoder. */
export class JsonSyntaxError extends Error {
  /** @param message - for example `unexpected end of JSON input` */
  constructor(message: string) {
    super(message);
    this.name = "JsonSyntaxError";
  }
}

/** A value of JSON and the keys that its text repeats. */
export interface DecodedJson {
  value: Json;
  /** The paths of repeated keys, for example `spec.list[0].name`; at most 100. The last value of a key counts. */
  duplicates: string[];
}

const maximumDepth = 10_000;
const maximumDuplicates = 100;

/**
 * Decodes JSON as kube-apiserver does: with its messages, its limit of 10,000 levels and a list of repeated keys.
 *
 * @param text - the JSON
 * @returns the value
 * @throws JsonSyntaxError if the text is malformed
 */
export function decodeJson(text: string): DecodedJson {
  return new Decoder(text).decode();
}

interface Frame {
  container: JsonObject | Json[];
  /** The key whose value is being read. */
  key: string;
}

class Decoder {
  readonly #text: string;
  #at = 0;
  readonly #stack: Frame[] = [];
  readonly #duplicates = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  decode(): DecodedJson {
    const value = this.#document();
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#unexpected("after top-level value");
    return { value, duplicates: [...this.#duplicates] };
  }

  /** Reads the outermost value. Containers are kept on a stack of our own, because values may be nested deeply. */
  #document(): Json {
    for (;;) {
      let value = this.#valueOrOpening();
      if (value === undefined) continue;
      for (;;) {
        const frame = this.#stack.at(-1);
        if (frame === undefined) return value;
        this.#store(frame, value);
        if (!this.#closes(frame)) break;
        this.#stack.pop();
        value = frame.container;
      }
    }
  }

  /** Reads a scalar or an empty container. Returns undefined after the opening of a container with contents. */
  #valueOrOpening(): Json | undefined {
    this.#skipSpace();
    const char = this.#text[this.#at];
    switch (char) {
      case "{":
      case "[":
        return this.#open(char);
      case '"':
        return this.#string();
      case "t":
        return this.#literal("true", true);
      case "f":
        return this.#literal("false", false);
      case "n":
        return this.#literal("null", null);
      default:
        if (char === "-" || isDigit(char)) return this.#number();
        throw this.#unexpected("looking for beginning of value");
    }
  }

  #open(char: "{" | "["): Json | undefined {
    if (this.#stack.length >= maximumDepth) throw this.#unexpected("exceeded max depth");
    this.#at++;
    this.#skipSpace();
    const container: JsonObject | Json[] = char === "{" ? {} : [];
    if (this.#text[this.#at] === (char === "{" ? "}" : "]")) {
      this.#at++;
      return container;
    }
    const frame = { container, key: "" };
    this.#stack.push(frame);
    if (char === "{") this.#key(frame);
    return undefined;
  }

  #key(frame: Frame): void {
    this.#skipSpace();
    if (this.#text[this.#at] !== '"') throw this.#unexpected("looking for beginning of object key string");
    frame.key = this.#string();
    this.#skipSpace();
    if (this.#text[this.#at] !== ":") throw this.#unexpected("after object key");
    this.#at++;
    if (Object.hasOwn(frame.container, frame.key) && this.#duplicates.size < maximumDuplicates) {
      this.#duplicates.add(this.#path());
    }
  }

  #path(): string {
    let path = "";
    for (const { container, key } of this.#stack) {
      if (Array.isArray(container)) path += `[${container.length}]`;
      else path += path === "" ? key : `.${key}`;
    }
    return path;
  }

  #store(frame: Frame, value: Json): void {
    if (Array.isArray(frame.container)) frame.container.push(value);
    else setKey(frame.container, frame.key, value);
  }

  /** Reads what follows a value in a container. Returns true at its end. */
  #closes(frame: Frame): boolean {
    this.#skipSpace();
    const char = this.#text[this.#at];
    const list = Array.isArray(frame.container);
    if (char === (list ? "]" : "}")) {
      this.#at++;
      return true;
    }
    if (char !== ",") throw this.#unexpected(list ? "after array element" : "after object key:value pair");
    this.#at++;
    if (!list) this.#key(frame);
    return false;
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  #literal<Value extends Json>(word: string, value: Value): Value {
    for (let i = 1; i < word.length; i++) {
      this.#at++;
      const expected = word[i] as string;
      if (this.#text[this.#at] !== expected) throw this.#unexpected(`in literal ${word} (expecting '${expected}')`);
    }
    this.#at++;
    return value;
  }

  #number(): number {
    const start = this.#at;
    if (this.#text[this.#at] === "-") this.#at++;
    if (this.#text[this.#at] === "0") this.#at++;
    else this.#digits("in numeric literal");
    if (this.#text[this.#at] === ".") {
      this.#at++;
      this.#digits("after decimal point in numeric literal");
    }
    if (this.#text[this.#at] === "e" || this.#text[this.#at] === "E") {
      this.#at++;
      if (this.#text[this.#at] === "+" || this.#text[this.#at] === "-") this.#at++;
      this.#digits("in exponent of numeric literal");
    }
    return Number(this.#text.slice(start, this.#at));
  }

  #digits(context: string): void {
    if (!isDigit(this.#text[this.#at])) throw this.#unexpected(context);
    while (isDigit(this.#text[this.#at])) this.#at++;
  }

  #string(): string {
    const start = this.#at++;
    let plain = true;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x22) break;
      // At the end of the text the code is NaN.
      if (!(code >= 0x20)) throw this.#unexpected("in string literal");
      if (code === 0x5c) {
        plain = false;
        this.#escape();
      } else this.#at++;
    }
    const end = this.#at++;
    return plain ? this.#text.slice(start + 1, end) : (JSON.parse(this.#text.slice(start, end + 1)) as string);
  }

  #escape(): void {
    this.#at++;
    const char = this.#text[this.#at];
    if (char === undefined || !'"\\/bfnrtu'.includes(char)) throw this.#unexpected("in string escape code");
    this.#at++;
    if (char !== "u") return;
    for (let i = 0; i < 4; i++) {
      if (!/^[0-9a-fA-F]$/.test(this.#text[this.#at] ?? "")) {
        throw this.#unexpected("in \\u hexadecimal character escape");
      }
      this.#at++;
    }
  }

  #unexpected(context: string): JsonSyntaxError {
    const char = this.#text[this.#at];
    if (char === undefined) return new JsonSyntaxError("unexpected end of JSON input");
    // Go reads bytes: it prints the first byte of other characters.
    const byte = Buffer.from(char)[0] as number;
    const shown = char === "'" ? "\\'" : char === '"' ? '"' : goQuote(String.fromCharCode(byte)).slice(1, -1);
    return new JsonSyntaxError(`invalid character '${shown}' ${context}`);
  }
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= "0" && char <= "9";
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
  return typeof value === "boolean" ? "bool" : typeof value;
}
