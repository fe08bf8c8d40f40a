import { IPSyntaxError, parseAddress } from "./ip-text.ts";

/**
 * Parses an address.
 *
 * @param text - the address
 * @param sloppy - true to accept leading zeros in IPv4
 * @returns its four or sixteen bytes, or `undefined`
 */
export function parseIP(text: string, sloppy: boolean): number[] | undefined {
  if (text.length > 64) return undefined;
  // Host names are the usual case, and each error costs a stack trace.
  if (!text.includes(":") && /[^\d.]/.test(text)) return undefined;
  try {
    const { bytes, zone } = parseAddress(sloppy ? withoutLeadingZeros(text) : text);
    return zone === "" ? bytes : undefined;
  } catch (error) {
    if (error instanceof IPSyntaxError) return undefined;
    throw error;
  }
}

/** Removes the leading zeros of decimal fields, which end an address of IPv6 that embeds one of IPv4. */
function withoutLeadingZeros(text: string): string {
  const fields = text.slice(text.lastIndexOf(":") + 1);
  if (!fields.includes(".")) return text;
  return text.slice(0, text.length - fields.length) + fields.replace(/(^|\.)0+(?=\d)/g, "$1");
}

/**
 * Parses a range of addresses.
 *
 * @param text - for example `10.0.0.0/8`
 * @param sloppy - true to accept leading zeros in IPv4
 * @returns the bytes of the address and the length of the prefix, or `undefined`
 */
export function parseCIDR(text: string, sloppy: boolean): { address: number[]; prefix: number } | undefined {
  const slash = text.indexOf("/");
  if (slash === -1) return undefined;
  const address = parseIP(text.slice(0, slash), sloppy);
  const length = text.slice(slash + 1);
  if (address === undefined || !/^\d{1,3}$/.test(length) || Number(length) > address.length * 8) return undefined;
  return { address, prefix: Number(length) };
}

/**
 * Formats an address in its canonical form.
 *
 * @param bytes - its four or sixteen bytes
 * @returns for example `10.0.0.1` or `fd00::1`
 */
export function formatIP(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from(
    { length: 8 },
    (_, index) => ((bytes[2 * index] as number) << 8) | (bytes[2 * index + 1] as number),
  );
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  const hex = (part: readonly number[]) => part.map((group) => group.toString(16)).join(":");
  return best.start < 0
    ? hex(groups)
    : `${hex(groups.slice(0, best.start))}::${hex(groups.slice(best.start + best.length))}`;
}

/** @returns the first address of a range */
export function firstOfRange(address: readonly number[], prefix: number): number[] {
  return address.map((byte, index) => byte & (0xff << (8 - Math.min(8, Math.max(0, prefix - 8 * index)))) & 0xff);
}

/** Reports whether an address of IPv6 embeds one of IPv4. */
export function isMapped(bytes: readonly number[]): boolean {
  return (
    bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255
  );
}

/** @returns why a text isn't an address; empty if it is one */
export function isValidIP(text: string): string[] {
  return parseIP(text, true) === undefined ? ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"] : [];
}

/** @returns true for addresses with dots, also those of IPv6 that embed an address of IPv4 */
export function isIPv4Text(text: string): boolean {
  return text.includes(".") && parseIP(text, true) !== undefined;
}

/** @returns true for addresses of IPv6 */
export function isIPv6(text: string): boolean {
  return text.includes(":") && parseIP(text, false) !== undefined;
}
