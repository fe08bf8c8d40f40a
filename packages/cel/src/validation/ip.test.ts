import { expect, test } from "vitest";
import { formatIP, parseCIDR, parseIP } from "./ip.ts";

test.each([
  ["010.000.0.01", undefined, "10.0.0.1"],
  ["10.0.0.1", "10.0.0.1", "10.0.0.1"],
  ["::ffff:010.0.0.1", undefined, "::ffff:a00:1"],
  ["2001:0db8::0001", "2001:db8::1", "2001:db8::1"],
  ["::00001", undefined, undefined],
  ["fe80::1%eth0", undefined, undefined],
  ["10.0.0.256", undefined, undefined],
  ["1:2:3:4:5:6:7::8", undefined, undefined],
  ["", undefined, undefined],
])("%j is %s, and %s with leading zeros", (text, strict, sloppy) => {
  const shown = (bytes: number[] | undefined): string | undefined => bytes && formatIP(bytes);
  expect([shown(parseIP(text, false)), shown(parseIP(text, true))]).toEqual([strict, sloppy]);
});

test.each([
  ["10.0.0.0/8", { address: [10, 0, 0, 0], prefix: 8 }],
  ["10.0.0.0/33", undefined],
  ["10.0.0.0/", undefined],
  ["10.0.0.0", undefined],
])("the range %j is %j", (text, range) => {
  expect(parseCIDR(text, false)).toEqual(range);
});
