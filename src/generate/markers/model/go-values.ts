import { separatorsAllowed } from "./literals.ts";

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

const SIMPLE_ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  "\\": 92,
  '"': 34,
};

/** Returns the content of a quoted or raw Go string literal; undefined if it is malformed. */
export function unquote(literal: string): string | undefined {
  if (literal.length < 2) return undefined;
  const body = literal.slice(1, -1);
  if (literal.startsWith("`")) return literal.endsWith("`") ? body.replaceAll("\r", "") : undefined;
  if (!literal.endsWith('"') || body.includes("\n")) return undefined;
  if (!body.includes("\\")) return body.includes('"') ? undefined : body;

  const encoder = new TextEncoder();
  const bytes: number[] = [];
  const pattern = /\\(?:([abfnrtv\\"])|x([0-9a-fA-F]{2})|([0-7]{3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y;
  for (let at = 0; at < body.length; ) {
    const character = body[at]!;
    if (character === '"') return undefined;
    if (character !== "\\") {
      const end = nextSpecial(body, at);
      bytes.push(...encoder.encode(body.slice(at, end)));
      at = end;
      continue;
    }
    pattern.lastIndex = at;
    const match = pattern.exec(body);
    if (!match) return undefined;
    const [whole, simple, hex, octal, short, long] = match;
    if (simple !== undefined) bytes.push(SIMPLE_ESCAPES[simple]!);
    else if (hex !== undefined) bytes.push(Number.parseInt(hex, 16));
    else if (octal !== undefined) {
      const value = Number.parseInt(octal, 8);
      if (value > 255) return undefined;
      bytes.push(value);
    } else {
      const value = Number.parseInt((short ?? long)!, 16);
      if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return undefined;
      bytes.push(...encoder.encode(String.fromCodePoint(value)));
    }
    at += whole.length;
  }
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes));
}

function nextSpecial(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== "\\" && text[at] !== '"') at++;
  return at;
}

/** Parses a decimal 64-bit integer, as a bigint if a number would round it; undefined if it is invalid. */
export function parseInteger(text: string): number | bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ""));
  if (value > INT64_MAX || value < INT64_MIN) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Parses a 64-bit float in Go's syntax (hexadecimal, underscores, Inf and NaN included); undefined if it is invalid or overflows. */
export function parseFloat64(text: string): number | undefined {
  const named = /^([+-]?)(?:(inf|infinity)|(nan))$/i.exec(text);
  if (named) {
    if (named[3]) return named[1] ? undefined : Number.NaN;
    return named[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (text.includes("_") && !separatorsAllowed(text)) return undefined;
  const plain = text.replaceAll("_", "");
  const hex = /^([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?[0-9]+)$/.exec(plain);
  const value = hex ? hexFloat(hex) : decimalFloat(plain);
  return value === undefined || !Number.isFinite(value) ? undefined : value;
}

function decimalFloat(text: string): number | undefined {
  return /^[+-]?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$/.test(text) ? Number(text) : undefined;
}

function hexFloat([, sign, whole, fraction = "", exponent]: RegExpExecArray): number | undefined {
  const digits = `${whole}${fraction}`;
  if (digits === "") return undefined;
  const value = Number(BigInt(`0x${digits}`)) * 2 ** (Number(exponent) - 4 * fraction!.length);
  return sign === "-" ? -value : value;
}
