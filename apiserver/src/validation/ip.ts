/**
 * Parses an address of IPv4.
 *
 * @param text - the address
 * @param sloppy - true to accept leading zeros
 * @returns its four bytes, or `undefined`
 */
export function parseIPv4(text: string, sloppy: boolean): number[] | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  const bytes: number[] = [];
  for (const part of parts) {
    if (!/^\d+$/.test(part) || (!sloppy && part.length > 1 && part.startsWith("0"))) return undefined;
    const byte = Number(part);
    if (byte > 255) return undefined;
    bytes.push(byte);
  }
  return bytes;
}

/**
 * Parses an address of IPv6.
 *
 * @param text - the address
 * @param sloppy - true to accept leading zeros in an embedded address of IPv4
 * @returns its sixteen bytes, or `undefined`
 */
export function parseIPv6(text: string, sloppy: boolean): number[] | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const groups: (number[] | undefined)[] = halves.map((half, index) =>
    bytesOfGroups(half, sloppy, index === halves.length - 1),
  );
  const [start, end] = groups;
  if (start === undefined) return undefined;
  if (halves.length === 1) return start.length === 16 ? start : undefined;
  if (end === undefined || start.length + end.length > 14) return undefined;
  return [...start, ...new Array<number>(16 - start.length - end.length).fill(0), ...end];
}

function bytesOfGroups(text: string, sloppy: boolean, last: boolean): number[] | undefined {
  if (text === "") return [];
  const bytes: number[] = [];
  const groups = text.split(":");
  for (const [index, group] of groups.entries()) {
    if (last && index === groups.length - 1 && group.includes(".")) {
      const embedded = parseIPv4(group, sloppy);
      if (embedded === undefined) return undefined;
      bytes.push(...embedded);
    } else {
      if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return undefined;
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 255);
    }
  }
  return bytes.length > 16 ? undefined : bytes;
}

/**
 * Parses an address.
 *
 * @param text - the address
 * @param sloppy - true to accept leading zeros in IPv4
 * @returns its four or sixteen bytes, or `undefined`
 */
export function parseIP(text: string, sloppy: boolean): number[] | undefined {
  if (text.length > 64) return undefined;
  return text.includes(":") ? parseIPv6(text, sloppy) : parseIPv4(text, sloppy);
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
