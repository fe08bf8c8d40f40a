import { randomBytes } from "node:crypto";

// Sixteen digits in a row are the least that an integer beyond 2^53 has.
const LONG_NUMBER = /\d{16}/;
// Numbers as they appear outside of strings. What has a fraction or an exponent is a float and stays one.
const INTEGER = /-?\d{16,}(?![\d.eE])/g;
// Not predictable, so no server can forge it.
const TAG = `bigint:${randomBytes(12).toString("hex")}:`;

/**
 * Parses JSON text. Integers beyond ±(2^53-1) come as `bigint`, so that nothing is rounded; everything else is as `JSON.parse` has it.
 * Throws `SyntaxError` for broken text.
 */
export function parseJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  const tagged = tagBigIntegers(text);
  if (tagged === text) return JSON.parse(text);
  return untag(JSON.parse(tagged));
}

// Walks from string to string: native indexOf does the work, and no regular expression meets a whole string.
function tagBigIntegers(text: string): string {
  let out = "";
  let copied = 0;
  let position = 0;
  while (position < text.length) {
    const quote = text.indexOf('"', position);
    const end = quote === -1 ? text.length : quote;
    // Between two strings there is mostly `:` or `,`: nothing to look for.
    if (end - position >= 16) {
      const gap = text.slice(position, end);
      const replaced = gap.replace(INTEGER, (digits, offset: number) => {
        // The digits of a fraction or an exponent aren't an integer of their own.
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

// Index behind the closing quote of the string that opens at `quote`.
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
  // Arrays and objects alike: nothing else refers yet to the result of JSON.parse, so it is changed in place.
  const root = [value];
  const open: object[] = [root];
  for (let next = open.pop(); next; next = open.pop()) {
    const holder = next as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      const inner = holder[key];
      // The key exists, so that this sets `__proto__` as any other.
      if (typeof inner === "string" && inner.startsWith(TAG)) holder[key] = BigInt(inner.slice(TAG.length));
      else if (typeof inner === "object" && inner !== null) open.push(inner);
    }
  }
  return root[0];
}
