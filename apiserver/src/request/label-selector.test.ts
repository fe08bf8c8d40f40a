import { expect, it } from "vitest";
import { matchesLabels, parseLabelSelector } from "./label-selector.ts";

it("separates tokens by blanks, tabs and line breaks, not by other space characters", () => {
  expect(parseLabelSelector(" a\t=\r\nb ")).toEqual([{ key: "a", operator: "=", values: ["b"] }]);
  expect(() => parseLabelSelector("\u00a0a")).toThrow("unable to parse requirement");
});

it("compares integers of 64 bits only", () => {
  const selector = parseLabelSelector("rev>10");
  expect(matchesLabels(selector, { rev: "9223372036854775807" })).toBe(true);
  expect(matchesLabels(selector, { rev: "9223372036854775808" })).toBe(false);
  expect(matchesLabels(selector, { rev: "010" })).toBe(false);
  // Values must be those of labels too.
  expect(() => parseLabelSelector("rev>-5")).toThrow("a valid label must be");
  expect(() => parseLabelSelector("rev<9223372036854775808")).toThrow("the value must be an integer");
});
