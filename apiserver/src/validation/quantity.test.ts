import { expect, test } from "vitest";
import { canonicalQuantity, roundQuantity } from "./quantity.ts";

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
  expect(roundQuantity(text)).toBe(rounded);
});
