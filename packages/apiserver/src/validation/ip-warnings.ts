import { goQuote } from "@kubewright/cel/json";
import { firstOfRange, formatIP, isMapped, parseCIDR, parseIP } from "@kubewright/cel/validation";

/** Formats an address as Go's `net.IP` does: addresses of IPv4 that IPv6 embeds get dots. */
function formatGoIP(bytes: readonly number[]): string {
  return formatIP(isMapped(bytes) ? bytes.slice(12) : bytes);
}

/**
 * Finds the warnings for an address that is accepted for compatibility, but isn't in its canonical form.
 *
 * @param path - its path
 * @param value - the address
 * @returns the warnings; none for a text that isn't an address
 */
export function ipWarnings(path: string, value: string): string[] {
  const sloppy = parseIP(value, true);
  if (sloppy === undefined) return [];
  if (parseIP(value, false) === undefined || isMapped(sloppy)) {
    return [`${path}: non-standard IP address ${goQuote(value)} is invalid: use ${goQuote(formatGoIP(sloppy))}`];
  }
  const canonical = formatIP(sloppy);
  if (sloppy.length === 4 || canonical === value) return [];
  const detail = `should be in RFC 5952 canonical format (${goQuote(canonical)})`;
  return [`${path}: IPv6 address ${goQuote(value)} ${detail}`];
}

/**
 * Finds the warnings for a range of addresses that is accepted for compatibility, but isn't in its canonical form.
 *
 * @param path - its path
 * @param value - the range
 * @returns the warnings; none for a text that isn't a range
 */
export function cidrWarnings(path: string, value: string): string[] {
  const sloppy = parseCIDR(value, true);
  if (sloppy === undefined) return [];
  const { address, prefix } = sloppy;
  const first = firstOfRange(address, prefix);
  const range = `${formatGoIP(first)}/${prefix}`;
  const warnings: string[] = [];
  if (first.some((byte, index) => byte !== address[index])) {
    const single = `${formatGoIP(address)}/${address.length * 8}`;
    const detail = `is ambiguous in this context (should be ${goQuote(range)} or ${goQuote(single)}?)`;
    warnings.push(`${path}: CIDR value ${goQuote(value)} ${detail}`);
  }
  const hasZeros = /\/0\d/.test(value) || parseCIDR(value, false) === undefined;
  if (hasZeros || isMapped(address)) {
    warnings.push(`${path}: non-standard CIDR value ${goQuote(value)} is invalid: use ${goQuote(range)}`);
  }
  const canonical = `${formatIP(address)}/${prefix}`;
  if (warnings.length === 0 && address.length === 16 && canonical !== value) {
    const detail = `should be in RFC 5952 canonical format (${goQuote(canonical)})`;
    warnings.push(`${path}: IPv6 CIDR value ${goQuote(value)} ${detail}`);
  }
  return warnings;
}
