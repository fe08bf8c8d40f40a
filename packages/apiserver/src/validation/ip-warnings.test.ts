import { expect, it } from "vitest";
import { cidrWarnings, ipWarnings } from "./ip-warnings.ts";

it.each([
  ["1.2.3.4", []],
  ["not an address", []],
  ["001.2.3.4", ['p: non-standard IP address "001.2.3.4" is invalid: use "1.2.3.4"']],
  ["::ffff:1.2.3.4", ['p: non-standard IP address "::ffff:1.2.3.4" is invalid: use "1.2.3.4"']],
  ["fd00::1", []],
  ["FD00:0::1", ['p: IPv6 address "FD00:0::1" should be in RFC 5952 canonical format ("fd00::1")']],
])("warns about the form of the address %s", (value, warnings) => {
  expect(ipWarnings("p", value)).toEqual(warnings);
});

it.each([
  ["10.0.0.0/8", []],
  [
    "10.0.0.1/8",
    ['p: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)'],
  ],
  ["010.0.0.0/8", ['p: non-standard CIDR value "010.0.0.0/8" is invalid: use "10.0.0.0/8"']],
  ["10.0.0.0/08", ['p: non-standard CIDR value "10.0.0.0/08" is invalid: use "10.0.0.0/8"']],
  ["FD00::/64", ['p: IPv6 CIDR value "FD00::/64" should be in RFC 5952 canonical format ("fd00::/64")']],
])("warns about the form of the range %s", (value, warnings) => {
  expect(cidrWarnings("p", value)).toEqual(warnings);
});
