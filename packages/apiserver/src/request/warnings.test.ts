import { expect, test } from "vitest";
import { warningHeaders } from "./warnings.ts";

test("a warning is quoted", () => {
  expect(warningHeaders(['say "a\\b"'])).toEqual(['299 - "say \\"a\\\\b\\""']);
});

test("characters beyond ASCII are sent as UTF-8", () => {
  expect(warningHeaders(["ä"])).toEqual([`299 - "${Buffer.from("ä").toString("latin1")}"`]);
});

test("empty, repeated and unprintable warnings are left out", () => {
  expect(warningHeaders(["", "a", "a", "b\nc"])).toEqual(['299 - "a"']);
});

test("warnings of up to 4096 characters are complete", () => {
  expect(warningHeaders(["x".repeat(4096)])[0]).toHaveLength(4096 + '299 - ""'.length);
});

test("longer warnings are shortened to 256 characters each, up to the limit", () => {
  const many = Array.from({ length: 30 }, (_, index) => String(index).padEnd(300, "x"));
  const headers = warningHeaders(many);
  expect(headers).toHaveLength(16);
  expect(headers[0]).toHaveLength(256 + '299 - ""'.length);
});
