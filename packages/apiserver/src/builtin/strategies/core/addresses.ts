import { goQuote } from "@kubewright/cel/json";
import {
  type FieldError,
  firstOfRange,
  formatIP,
  invalidValue,
  isIPv6,
  isMapped,
  isValidIP,
  parseCIDR,
  parseIP,
} from "@kubewright/cel/validation";
import { invalidFor } from "../fields/fields.ts";

/**
 * Checks an address. New ones must be in a form that all clients read in the same way.
 *
 * @param address - the address
 * @param path - its path
 * @param stored - the addresses that were there before, which stay valid
 * @returns the errors
 */
export function addressErrors(address: string, path: string, stored: readonly string[] = []): FieldError[] {
  if (stored.includes(address)) return [];
  const bytes = parseIP(address, true);
  if (bytes === undefined) return invalidFor(path, address, isValidIP(address));
  if (parseIP(address, false) === undefined) return [invalidValue(path, address, "must not have leading 0s")];
  return isMapped(bytes) ? [invalidValue(path, address, "must not be an IPv4-mapped IPv6 address")] : [];
}

/**
 * Checks a range of addresses. New ones must be in a form that all clients read in the same way.
 *
 * @param range - the range
 * @param path - its path
 * @param stored - the ranges that were there before, which stay valid
 * @returns the errors
 */
export function rangeErrors(range: string, path: string, stored: readonly string[] = []): FieldError[] {
  if (stored.includes(range)) return [];
  const parsed = parseCIDR(range, true);
  if (parsed === undefined) {
    return [invalidValue(path, range, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")];
  }
  const { address, prefix } = parsed;
  if (/\/0\d/.test(range) || parseCIDR(range, false) === undefined) {
    return [invalidValue(path, range, "must not have leading 0s in IP or prefix length")];
  }
  if (isMapped(address)) return [invalidValue(path, range, "must not have an IPv4-mapped IPv6 address")];
  const first = firstOfRange(address, prefix);
  if (first.every((byte, index) => byte === address[index])) return [];
  return [invalidValue(path, range, "must not have bits set beyond the prefix length")];
}

/**
 * Checks an address that must be in its canonical form.
 *
 * @param address - the address
 * @param path - its path
 * @returns the errors
 */
export function canonicalAddressErrors(address: string, path: string): FieldError[] {
  const errors = addressErrors(address, path);
  if (errors.length > 0) return errors;
  const canonical = formatIP(parseIP(address, true) as number[]);
  return address === canonical
    ? []
    : [invalidValue(path, address, `must be in canonical form (${goQuote(canonical)})`)];
}

/**
 * Checks a range of addresses that must be in its canonical form.
 *
 * @param range - the range
 * @param path - its path
 * @returns the errors
 */
export function canonicalRangeErrors(range: string, path: string): FieldError[] {
  const errors = rangeErrors(range, path);
  if (errors.length > 0) return errors;
  const { address, prefix } = parseCIDR(range, true) as { address: number[]; prefix: number };
  const canonical = `${formatIP(address)}/${prefix}`;
  return range === canonical ? [] : [invalidValue(path, range, `must be in canonical form (${goQuote(canonical)})`)];
}

/** Checks that there is at most one address of each version of the Internet Protocol. */
export function isDualStack(addresses: readonly string[]): boolean {
  return addresses.length === 2 && addresses.filter(isIPv6).length === 1;
}

/**
 * Checks that an address can be one of an endpoint: it must not have a special purpose.
 *
 * @param address - the address
 * @param path - its path
 * @returns the errors
 */
export function nonSpecialAddressErrors(address: string, path: string): FieldError[] {
  const bytes = parseIP(address, true);
  if (bytes === undefined) return [invalidValue(path, address, "must be a valid IP address")];
  const [first = 0, second = 0, third = 0] = bytes;
  const four = bytes.length === 4;
  const refuse = (detail: string): FieldError[] => [invalidValue(path, address, detail)];
  const leading = bytes.slice(0, -1).every((byte) => byte === 0);
  if (bytes.every((byte) => byte === 0)) return refuse(`may not be unspecified (${four ? address : "::"})`);
  if (four ? first === 127 : leading && bytes.at(-1) === 1) {
    return refuse("may not be in the loopback range (127.0.0.0/8, ::1/128)");
  }
  if (four ? first === 169 && second === 254 : first === 0xfe && (second & 0xc0) === 0x80) {
    return refuse("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
  }
  if (four ? first === 224 && second === 0 && third === 0 : first === 0xff && (second & 0x0f) === 2) {
    return refuse("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
  }
  return [];
}
