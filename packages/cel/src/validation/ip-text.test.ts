import { describe, expect, test } from "vitest";
import { parseAddress } from "./ip-text.ts";

test.each([
  ["1.2.3.4", [1, 2, 3, 4]],
  ["::", new Array(16).fill(0)],
  ["1::2", [0, 1, ...new Array(12).fill(0), 0, 2]],
  ["::ffff:1.2.3.4", [...new Array(10).fill(0), 255, 255, 1, 2, 3, 4]],
  ["1:2:3:4:5:6:7:8", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]],
  ["1:2:3:4:5:6:7::", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 0]],
])("%s is an address", (text, bytes) => {
  expect(parseAddress(text)).toEqual({ bytes, zone: "" });
});

test("a zone is kept", () => {
  expect(parseAddress("fe80::1%eth0").zone).toBe("eth0");
});

describe("an invalid address is rejected with Go's message", () => {
  test.each([
    ["", "unable to parse IP"],
    ["%", "missing IPv6 address"],
    ["1.2.3", "IPv4 address too short"],
    ["1.2.3.4.5", "IPv4 address too long"],
    ["1..2.3", 'IPv4 field must have at least one digit (at ".2.3")'],
    ["1.2.3.", 'IPv4 field must have at least one digit (at ".")'],
    ["1.2.3.a", 'unexpected character (at "a")'],
    ["01.2.3.4", "IPv4 field has octet with leading zero"],
    ["256.1.1.1", "IPv4 field has value >255"],
    ["fe80::1%", "zone must be a non-empty string"],
    ["1:2", "address string too short"],
    ["1:", 'colon must be followed by more characters (at ":")'],
    ["1: 2", 'each colon-separated field must have at least one digit (at " 2")'],
    ["1 :2", 'unexpected character, want colon (at " :2")'],
    ["::1::", 'multiple :: in address (at ":")'],
    ["::12345", 'each group must have 4 or less digits (at "12345")'],
    ["1:2:3:4:5:6:7:8:9", 'trailing garbage after address (at "9")'],
    ["1:2:3:4:5:6:7:8::", "the :: must expand to at least one field of zeros"],
    ["1:2:3:4:5:6:7:1.2.3.4", 'embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")'],
    ["::2:3:4:5:6:7:8:1.2.3.4", 'too many hex fields to fit an embedded IPv4 at the end of the address (at "1.2.3.4")'],
    ["::1.2.3", "IPv4 address too short"],
  ])("%j: %s", (text, message) => {
    expect(() => parseAddress(text)).toThrow(`ParseAddr(${JSON.stringify(text)}): ${message}`);
  });
});
