import { expect, test } from "vitest";
import { canonicalQuantity } from "./quantity.ts";

test.each([
  ["0", "0"],
  ["0Ki", "0"],
  ["-0", "0"],
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
  ["5.", "5"],
  ["1000m", "1"],
  ["100m", "100m"],
  ["-1.5", "-1500m"],
  ["1e3", "1e3"],
  ["1E6", "1e6"],
  ["12e-1", "1200e-3"],
  ["0.0000000001", "1n"],
  ["1M", "1M"],
  ["1000000k", "1G"],
  ["+1", "1"],
  ["9999999999999999999E", "9223372036854775807"],
])("%s is %s", (text, canonical) => {
  expect(canonicalQuantity(text)).toBe(canonical);
});

test.each(["", "a", "1 Gi", "1.2.3", "1gi", "--1", "1e", "1KI", "1e1001"])("%j isn't a quantity", (text) => {
  expect(canonicalQuantity(text)).toBeUndefined();
});
