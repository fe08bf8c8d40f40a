import { randomBytes } from "node:crypto";

// Integers beyond 2^53 have at least sixteen digits.
const LONG_NUMBER = /\d{16}/;
// Matches integers outside strings. Numbers with a fraction or an exponent are floats and stay unchanged.
const INTEGER = /(?<!\d)-?\d{16,}(?![\d.eE])/g;
// Random, so that a server can't forge it.
const TAG = `bigint:${randomBytes(12).toString("hex")}:`;

/**
 * Parses JSON. Integers beyond ±(2^53-1) become `bigint`, so that they keep their digits. Everything else is parsed like
 * with `JSON.parse`. Throws `SyntaxError` for invalid JSON.
 */
export function parseJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  const tagged = tagBigIntegers(text);
  if (tagged === text) return JSON.parse(text);
  return untag(JSON.parse(tagged));
}

// Searches only between strings. The native indexOf is fast, and no regular expression runs on a whole string.
function tagBigIntegers(text: string): string {
  let out = "";
  let copied = 0;
  let position = 0;
  while (position < text.length) {
    const quote = text.indexOf('"', position);
    const end = quote === -1 ? text.length : quote;
    // The gap between two strings is usually `:` or `,`.
    if (end - position >= 16) {
      const gap = text.slice(position, end);
      const replaced = gap.replace(INTEGER, (digits, offset: number) => {
        // Skips the digits of a fraction or an exponent.
        const before = gap[offset - 1];
        if (before === "." || before === "e" || before === "E" || before === "+") return digits;
        return Number.isSafeInteger(Number(digits)) ? digits : `"${TAG}${digits}"`;
      });
      if (replaced !== gap) {
        out += text.slice(copied, position) + replaced;
        copied = end;
      }
    }
    if (quote === -1) break;
    position = endOfString(text, quote);
  }
  return copied === 0 ? text : out + text.slice(copied);
}

// Returns the index after the closing quote of the string that starts at `quote`.
function endOfString(text: string, quote: number): number {
  let close = text.indexOf('"', quote + 1);
  while (close !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(close - 1 - backslashes) === 92) backslashes++;
    if (backslashes % 2 === 0) return close + 1;
    close = text.indexOf('"', close + 1);
  }
  return text.length;
}

function untag(value: unknown): unknown {
  // Handles arrays and objects alike. The result of JSON.parse has no other references yet, so it is changed in place.
  const root = [value];
  const open: object[] = [root];
  for (let next = open.pop(); next; next = open.pop()) {
    const holder = next as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      const inner = holder[key];
      // The key exists, so even `__proto__` is set as a normal field.
      if (typeof inner === "string" && inner.startsWith(TAG)) holder[key] = BigInt(inner.slice(TAG.length));
      else if (typeof inner === "object" && inner !== null) open.push(inner);
    }
  }
  return root[0];
}
