import type { FieldError } from "../../../request/field-error.ts";
import { invalidValue } from "../../../request/paths.ts";
import { parseIP } from "../../../validation/ip.ts";

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
