/**
 * Returns the length of a text in UTF-8, as Go counts.
 *
 * @param text - a text
 * @returns the number of bytes; a surrogate without its other half counts as U+FFFD
 */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // A pair is four bytes: two more than its two units.
    if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) index++;
  }
  return bytes;
}

/**
 * Formats bytes as hexadecimal digits.
 *
 * @param bytes - the bytes, or a text in UTF-8
 * @returns two lowercase digits per byte
 */
export function hexOf(bytes: Uint8Array | string): string {
  const list = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
  return Array.from(list, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const digits = new Map(
  [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].map((char, value) => [char, value]),
);

/**
 * Decodes base64. Characters that aren't digits are left out, and the padding is the end.
 *
 * @param text - the encoded bytes
 * @returns the bytes
 */
export function fromBase64(text: string): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const char of text) {
    if (char === "=") break;
    const digit = digits.get(char === "-" ? "+" : char === "_" ? "/" : char);
    if (digit === undefined) continue;
    bits = ((bits << 6) | digit) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >> count) & 0xff);
  }
  return Uint8Array.from(bytes);
}
