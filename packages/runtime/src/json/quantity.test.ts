import { expect, it } from "vitest";
import {
  addQuantities,
  compareQuantities,
  multiplyQuantity,
  quantityOf,
  quantityToNumber,
  subtractQuantities,
} from "./quantity.ts";

it.each([
  ["1", "1000m"],
  [1, "1000m"],
  [0.5, "500m"],
  [2n, "2"],
  ["1.5Gi", "1536Mi"],
  ["1Ki", "1024"],
  ["1k", "1000"],
  ["1E", "1e18"],
  ["1E3", "1k"],
  ["12e-3", "12m"],
  [".5", "0.50"],
  ["5.", "+5"],
  ["-0", "0"],
  ["1n", "0.1n"],
  ["-1n", "-0.1n"],
  ["9223372036854775807", "100Ei"],
  ["Gi", 0],
])("compareQuantities returns 0 for %s and %s", (a, b) => {
  expect(compareQuantities(a, b)).toBe(0);
});

it.each([
  ["1G", "1Gi"],
  ["999m", "1"],
  ["-2", "-1"],
  ["9007199254740992", "9007199254740993"],
  ["1u", "1001n"],
  ["9223372036854775807", "1e30"],
  ["9223372036854775808", 1e21],
])("compareQuantities returns -1 for %s and %s", (a, b) => {
  expect(compareQuantities(a, b)).toBe(-1);
  expect(compareQuantities(b, a)).toBe(1);
});

it.each(["", "1 Gi", "1gi", "1K", "1e", "0x1", "1.2.3", "NaN", "1e99999999999999999999", "1m1", "٣"])(
  "compareQuantities rejects %j",
  (text) => {
    expect(quantityOf(text)).toBeUndefined();
    expect(() => compareQuantities(text, "1")).toThrow(TypeError);
  },
);

it("addQuantities, subtractQuantities and multiplyQuantity use the format of the first argument", () => {
  expect([
    addQuantities("1Gi", "512Mi"),
    addQuantities("500m", 1, "0.25"),
    addQuantities("512", "512Ki"),
    addQuantities("1k"),
    addQuantities("1Ki", "-1Ki"),
    addQuantities("1.5Ki", "100m"),
    subtractQuantities("2", "500m"),
    subtractQuantities("1Gi", "2Gi"),
    subtractQuantities("1025", "1"),
    subtractQuantities("1025Mi", "1024Mi"),
    subtractQuantities("1Ki", "24"),
    multiplyQuantity("250m", 3),
    multiplyQuantity("1Gi", -2n),
    multiplyQuantity("100u", 1_000_000),
  ]).toEqual([
    ...[
      "1536Mi",
      "1750m",
      "524800",
      "1k",
      "0",
      "1536100m",
      "1500m",
      "-1Gi",
      "1024",
      "1Mi",
      "1k",
      "750m",
      "-2Gi",
      "100",
    ],
  ]);
  expect([quantityToNumber("250m"), quantityToNumber("1Ki")]).toEqual([0.25, 1024]);
  expect(() => addQuantities("1", "x")).toThrow('"x"');
  expect(() => multiplyQuantity("1", 0.5)).toThrow("invalid factor 0.5: it must be an integer");
});
