import type { Json, JsonObject } from "./json.ts";

/** The depth at which the real server's decoder gives up. */
const maxDepth = 10_000;

/** The value of a text, and the keys that occur twice in one object. */
export interface Parsed {
  value: Json;
  /** The paths of repeated keys, for example `spec.items[0].name`. The last value counts. */
  duplicates: string[];
}

/** A text that isn't JSON. The message is that of Go's decoder. */
export class JsonSyntaxError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "JsonSyntaxError";
  }
}

/**
 * Parses JSON as Go does, with its messages for malformed texts.
 *
 * @param text - the text
 * @returns the value, and the paths of repeated keys
 * @throws JsonSyntaxError if the text isn't JSON
 */
export function parseJson(text: string): Parsed {
  return new Parser(text).parse();
}

class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  readonly #path: (string | number)[] = [];
  readonly #duplicates: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  parse(): Parsed {
    const value = this.#value("looking for beginning of value");
    this.#skip();
    if (this.#at < this.#text.length) throw this.#unexpected("after top-level value");
    return { value, duplicates: this.#duplicates };
  }

  #skip(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  #unexpected(where: string): JsonSyntaxError {
    if (this.#at >= this.#text.length) return new JsonSyntaxError("unexpected end of JSON input");
    return new JsonSyntaxError(`invalid character ${quoteCharacter(this.#text, this.#at)} ${where}`);
  }

  #value(where: string): Json {
    this.#skip();
    switch (this.#text[this.#at]) {
      case "{":
        return this.#nested(() => this.#object());
      case "[":
        return this.#nested(() => this.#array());
      case '"':
        return this.#string();
      case "t":
        return this.#literal("true", true);
      case "f":
        return this.#literal("false", false);
      case "n":
        return this.#literal("null", null);
      default:
        return this.#number(where);
    }
  }

  #nested(read: () => Json): Json {
    if (++this.#depth > maxDepth) throw new JsonSyntaxError("exceeded max depth");
    const value = read();
    this.#depth--;
    return value;
  }

  #object(): JsonObject {
    const object: JsonObject = {};
    this.#at++;
    this.#skip();
    if (this.#text[this.#at] === "}") {
      this.#at++;
      return object;
    }
    for (;;) {
      this.#skip();
      if (this.#text[this.#at] !== '"') throw this.#unexpected("looking for beginning of object key string");
      const key = this.#string();
      this.#skip();
      if (this.#text[this.#at] !== ":") throw this.#unexpected("after object key");
      this.#at++;
      const repeated = Object.hasOwn(object, key);
      this.#path.push(key);
      const value = this.#value("looking for beginning of value");
      if (repeated) this.#duplicates.push(pathText(this.#path));
      this.#path.pop();
      if (key === "__proto__") {
        Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
      } else object[key] = value;
      this.#skip();
      const next = this.#text[this.#at];
      if (next !== "," && next !== "}") throw this.#unexpected("after object key:value pair");
      this.#at++;
      if (next === "}") return object;
    }
  }

  #array(): Json[] {
    const list: Json[] = [];
    this.#at++;
    this.#skip();
    if (this.#text[this.#at] === "]") {
      this.#at++;
      return list;
    }
    for (;;) {
      this.#path.push(list.length);
      list.push(this.#value("looking for beginning of value"));
      this.#path.pop();
      this.#skip();
      const next = this.#text[this.#at];
      if (next !== "," && next !== "]") throw this.#unexpected("after array element");
      this.#at++;
      if (next === "]") return list;
    }
  }

  #literal<T>(word: string, value: T): T {
    for (let i = 1; i < word.length; i++) {
      this.#at++;
      if (this.#text[this.#at] !== word[i]) throw this.#unexpected(`in literal ${word} (expecting '${word[i]}')`);
    }
    this.#at++;
    return value;
  }

  #string(): string {
    const begin = ++this.#at;
    let plain = true;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (Number.isNaN(code)) throw this.#unexpected("");
      if (code === 0x22) break;
      if (code < 0x20) throw this.#unexpected("in string literal");
      if (code === 0x5c) {
        plain = false;
        this.#escape();
      }
      this.#at++;
    }
    const end = this.#at++;
    return plain ? this.#text.slice(begin, end) : (JSON.parse(this.#text.slice(begin - 1, end + 1)) as string);
  }

  #escape(): void {
    const char = this.#text[++this.#at];
    if (char !== undefined && '"\\/bfnrt'.includes(char)) return;
    if (char !== "u") throw this.#unexpected("in string escape code");
    for (let i = 0; i < 4; i++) {
      if (!/[0-9a-fA-F]/.test(this.#text[++this.#at] ?? "")) throw this.#unexpected("in \\u hexadecimal character escape");
    }
  }

  #number(where: string): number {
    const pattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) {
      if (this.#text[this.#at] !== "-") throw this.#unexpected(where);
      this.#at++;
      throw this.#unexpected("in numeric literal");
    }
    this.#at += found.length;
    const next = this.#text[this.#at];
    if (next === "." || ((next === "e" || next === "E") && !/[eE]/.test(found))) {
      this.#at++;
      if (next !== "." && /[+-]/.test(this.#text[this.#at] ?? "")) this.#at++;
      throw this.#unexpected(next === "." ? "after decimal point in numeric literal" : "in exponent of numeric literal");
    }
    const number = Number(found);
    if (!Number.isFinite(number)) {
      throw new JsonSyntaxError(`json: cannot unmarshal number ${found} into Go value of type float64`);
    }
    return number;
  }
}

/** @returns a path as messages print it, for example `spec.items[0].name` */
export function pathText(path: readonly (string | number)[]): string {
  let text = "";
  for (const part of path) text += typeof part === "number" ? `[${part}]` : text === "" ? part : `.${part}`;
  return text;
}

/** Quotes a character as Go's decoder does. */
function quoteCharacter(text: string, at: number): string {
  const char = String.fromCodePoint(text.codePointAt(at) as number);
  const code = char.codePointAt(0) as number;
  if (char === "'") return "'\\''";
  if (char === '"') return "'\"'";
  if (code < 0x20 || code === 0x7f) {
    const known: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f", "\v": "\\v" };
    return `'${known[char] ?? `\\x${code.toString(16).padStart(2, "0")}`}'`;
  }
  // The decoder reads bytes: it prints the first one of a longer character.
  if (code > 0x7f) return `'${String.fromCharCode(Buffer.from(char)[0] as number)}'`;
  return `'${char}'`;
}
