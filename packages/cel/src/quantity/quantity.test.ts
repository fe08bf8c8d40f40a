import { expect, test } from "vitest";
import {
  addQuantities,
  approximateFloat,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityToInteger,
  quantityToNumber,
  roundQuantity,
} from "./quantity.ts";

test.each([
  ["0", "0"],
  ["0Ki", "0"],
  ["-0", "0"],
  ["Ki", "0"],
  ["1", "1"],
  ["1000", "1k"],
  ["1024", "1024"],
  ["1024Mi", "1Gi"],
  ["1.5Gi", "1536Mi"],
  ["0.5Gi", "512Mi"],
  ["1Ki", "1Ki"],
  ["0.5Ki", "512"],
  ["0.5", "500m"],
  [".5", "500m"],
  ["5.", "5."],
  ["1000m", "1"],
  ["100m", "100m"],
  ["-1.5", "-1500m"],
  ["1e3", "1e3"],
  ["1E6", "1E6"],
  ["12e-1", "1200e-3"],
  ["0.0000000001", "1n"],
  ["1M", "1M"],
  ["1000000k", "1G"],
  ["+1", "+1"],
  ["1.500", "1.500"],
  ["12E", "12E"],
  ["1000E", "1"],
  ["1e1001", "100e999"],
  ["9999999999999999999E", "9999999999999999999E"],
  ["99999999999Ei", "9223372036854775807"],
])("%s is %s", (text, canonical) => {
  expect(canonicalQuantity(text)).toBe(canonical);
});

test.each(["", "a", "1 Gi", "1.2.3", "1gi", "1KI"])("%j has the wrong format", (text) => {
  expect(() => canonicalQuantity(text)).toThrow("quantities must match the regular expression");
});

test.each(["1e", "--1", "1Kk", "1mm", "1e99999999999999999999"])("%j has an unknown suffix", (text) => {
  expect(() => canonicalQuantity(text)).toThrow("unable to parse quantity's suffix");
});

test.each([
  ["1n", "1m"],
  ["1.5m", "2m"],
  ["-1500u", "-2m"],
  ["1.500", "1.500"],
  ["1100000u", "1100m"],
])("%s is rounded to %s", (text, rounded) => {
  expect(formatQuantity(roundQuantity(parseQuantity(text)))).toBe(rounded);
});

test.each([
  ["1e150", "1", 1],
  ["-1e150", "1", -1],
  ["100Ei", "7Ei", 1],
  ["100Ei", "8Ei", 0],
  ["100Ei", "9223372036854775807", 0],
  ["9223372036854775808", "100Ei", 1],
  ["1e2000000000", "999999999999999999999", 1],
  ["1e-2000000000", "1n", 0],
  ["-1e2000000000", "-1e2000000001", 1],
  ["1.5Gi", "1536Mi", 0],
  ["Gi", "0e9", 0],
])("%s and %s compare as %d", (a, b, expected) => {
  expect(compareQuantities(parseQuantity(a), parseQuantity(b))).toBe(expected);
});

test.each([".e-10", "-e-11", "e-10", "+.Ki"])("%j has no digits to compute with", (text) => {
  if (text === "+.Ki") expect(canonicalQuantity(text)).toBe("0");
  else expect(() => canonicalQuantity(text)).toThrow("unable to parse numeric part of quantity");
});

test("sums of numbers of any size take no time that depends on their exponents", () => {
  const sum = (a: string, b: string): string => formatQuantity(addQuantities(parseQuantity(a), parseQuantity(b)));
  expect(sum("1e2000000000", "1")).toBe("100e1999999998");
  expect(sum("0", "512Mi")).toBe("512Mi");
  expect(sum("1Ki", "-1Ki")).toBe("0");
});

test("integers are those that Go keeps as such", () => {
  const integers = ["50k", "1.0", "1000m", "9223372036854775807", "5e18", "1e19", "2Ki", "1.5Ki", "0e99"];
  expect(integers.map((text) => quantityToInteger(parseQuantity(text)))).toEqual([
    50_000n,
    undefined,
    undefined,
    undefined,
    5_000_000_000_000_000_000n,
    undefined,
    2048n,
    undefined,
    0n,
  ]);
});

test("numbers are the nearest ones, or have the errors of Go", () => {
  expect(["300m", "1e150", "-1.5Ki"].map((text) => quantityToNumber(parseQuantity(text)))).toEqual([0.3, 1e150, -1536]);
  expect(quantityToNumber(parseQuantity("4.2"), -3)).toBe(4200);
  expect(["300m", "1e150"].map((text) => approximateFloat(parseQuantity(text)))).toEqual([0.3, 1.0000000000000002e150]);
});
