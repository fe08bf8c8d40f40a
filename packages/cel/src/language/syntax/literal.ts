import { Uint, type Value } from "../values/value.ts";
import type { Token } from "./lexer.ts";

const simpleEscapes: Record<string, string> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/**
 * Decodes the token of a string.
 *
 * @param token - the token with its quotes and its `r` prefix, if any
 * @returns the text, or undefined if an sequence is not a code point
 */
export function unquote(token: string): string | undefined {
  const { body, raw } = content(token);
  if (raw) return body;
  let invalid = false;
  const text = replaceEscapes(body, (sequence) => {
    const code = codeOf(sequence);
    if (typeof code === "string") return code;
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
      invalid = true;
      return "";
    }
    return String.fromCodePoint(code);
  });
  return invalid ? undefined : text;
}

/**
 * Decodes the token of bytes. Escapes in octal and hexadecimal are bytes.
 *
 * @param token - the token with its `b` prefix
 * @returns the bytes, or undefined if an sequence is for code points
 */
export function unquoteBytes(token: string): Uint8Array | undefined {
  const { body, raw } = content(token.slice(1));
  const encoder = new TextEncoder();
  if (raw) return encoder.encode(body);
  const bytes: number[] = [];
  let last = 0;
  let invalid = false;
  replaceEscapes(body, (sequence, index) => {
    bytes.push(...encoder.encode(body.slice(last, index)));
    last = index + sequence.length;
    if (/^\\[uU]/.test(sequence)) invalid = true;
    const code = codeOf(sequence);
    if (typeof code === "number") bytes.push(code & 0xff);
    else bytes.push(...encoder.encode(code));
    return "";
  });
  bytes.push(...encoder.encode(body.slice(last)));
  return invalid ? undefined : Uint8Array.from(bytes);
}

function content(token: string): { body: string; raw: boolean } {
  const raw = token.startsWith("r") || token.startsWith("R");
  const quoted = (raw ? token.slice(1) : token).replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  const width = quoted.length >= 6 && /^("""|''')/.test(quoted) ? 3 : 1;
  return { body: quoted.slice(width, -width), raw };
}

function replaceEscapes(body: string, replace: (sequence: string, index: number) => string): string {
  return body.replaceAll(
    /\\(?:[0-3][0-7]{2}|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])/g,
    replace as (sequence: string, index: number) => string,
  );
}

function codeOf(sequence: string): number | string {
  const letter = sequence[1] as string;
  if (sequence.length === 2) return simpleEscapes[letter] ?? letter;
  return /[0-3]/.test(letter) ? Number.parseInt(sequence.slice(1), 8) : Number.parseInt(sequence.slice(2), 16);
}

/** Why a literal has no value. */
export class LiteralError extends Error {}

/**
 * Reads the value of a literal.
 *
 * @param token - the literal
 * @param sign - `-` for a negative number
 * @returns the value, or why it has none
 */
export function literalValue({ kind, text }: Token, sign: string): Value | LiteralError {
  switch (kind) {
    case "true":
      return true;
    case "false":
      return false;
    case "null":
      return null;
    case "NUM_INT": {
      const magnitude = BigInt(text);
      const value = sign === "" ? magnitude : -magnitude;
      return value === BigInt.asIntN(64, value) ? value : new LiteralError("invalid int literal");
    }
    case "NUM_UINT": {
      const value = BigInt(text.slice(0, -1));
      return value === BigInt.asUintN(64, value) ? new Uint(value) : new LiteralError("invalid uint literal");
    }
    case "NUM_FLOAT": {
      const value = Number(sign + text);
      return Number.isFinite(value) ? value : new LiteralError("invalid double literal");
    }
    case "STRING":
      return unquote(text) ?? new LiteralError("invalid unicode code point");
    default:
      return unquoteBytes(text) ?? new LiteralError("unable to unescape string");
  }
}
