import { expect, it } from "vitest";
import { matchesLabels, parseLabelSelector } from "./label-selector.ts";

it("separates tokens by spaces, tabs and line breaks, not by other whitespace", () => {
  expect(parseLabelSelector(" a\t=\r\nb ")).toEqual([{ key: "a", operator: "=", values: ["b"] }]);
  expect(() => parseLabelSelector("\u00a0a")).toThrow("unable to parse requirement");
});

it("compares only 64-bit integers", () => {
  const selector = parseLabelSelector("rev>10");
  expect(matchesLabels(selector, { rev: "9223372036854775807" })).toBe(true);
  expect(matchesLabels(selector, { rev: "9223372036854775808" })).toBe(false);
  expect(matchesLabels(selector, { rev: "010" })).toBe(false);
  // Values must also be valid label values.
  expect(() => parseLabelSelector("rev>-5")).toThrow("a valid label must be");
  expect(() => parseLabelSelector("rev<9223372036854775808")).toThrow("the value must be an integer");
});

it.each([
  ["x in (1", "unable to parse requirement: found '', expected: ',' or ')'"],
  ["x in (1,", "unable to parse requirement: found '', expected: ',', or identifier"],
  ["x in (=", "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
  ["x in 1", "unable to parse requirement: found '1' expected: '('"],
  ["x=a b", "found 'b', expected: ',' or 'end of string'"],
  ["!x=1", "found '=', expected: ',' or 'end of string'"],
  ["=", "found '=', expected: !, identifier, or 'end of string'"],
  ["x,,y", "found ',', expected: identifier after ','"],
  ["x ! y", "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt"],
  ["!=x", "found '!=', expected: !, identifier, or 'end of string'"],
])("rejects %s", (text, message) => {
  expect(() => parseLabelSelector(text)).toThrow(new Error(message));
});

it.each([
  ["x in ()", [""]],
  ["x in (,)", [""]],
  ["x in (b,a,b)", ["a", "b"]],
  ["x in (a,,b)", ["", "a", "b"]],
  ["x in (in,notin)", ["in", "notin"]],
  ["x notin (a,)", ["", "a"]],
])("reads the values of %s", (text, values) => {
  expect(parseLabelSelector(text)).toMatchObject([{ key: "x", values }]);
});
