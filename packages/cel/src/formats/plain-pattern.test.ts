import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { isCertainlyGo } from "./plain-pattern.ts";

test.each([
  "^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}$",
  "^(?:(?:[0-9]{1,3})\\.){3}[0-9]{1,3}$",
  "^[0-9A-Za-z_.\\[\\]{}\\-\\s]{0,61}$",
  "^[!#$%&'*+.^_`|~\\w-]+$",
  "^[^\\r\\n\\x00-\\x1F]*$",
  "^[0-9]+(ns|µs|ms)$",
])("isCertainlyGo returns true for %s", (pattern) => {
  expect(isCertainlyGo(pattern)).toBe(true);
  expect(() => RE2JS.compile(pattern)).not.toThrow();
});

test.each([
  "(a{40}){40}",
  "a{1001}",
  "[^]",
  "[]a]",
  "[[:alpha:]]",
  "[\\w-a]",
  "[a-\\d]",
  "\\\\-\\d[a-\\d]",
  "\\p{L}",
  "(?i)a",
  "a\\v",
  "[z-a]",
  "(?=a)",
  "\\1",
  "😀{2}",
  "a++",
])("isCertainlyGo returns false for %s", (pattern) => {
  expect(isCertainlyGo(pattern)).toBe(false);
});
