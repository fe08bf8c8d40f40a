import { expect, it } from "vitest";
import { byteLength, fromBase64, hexOf } from "./bytes.ts";

const texts = [
  "",
  "a",
  "é",
  "\u07ff\u0800",
  "日本",
  "🚀🚀",
  "a\ud83d",
  "\ude80a",
  "\ud83d\ud83d\ude80",
  "x".repeat(5000),
];

it.each(texts)("the length and the digits of %j are those of Node.js", (text) => {
  expect(byteLength(text)).toBe(Buffer.byteLength(text));
  expect(hexOf(text)).toBe(Buffer.from(text).toString("hex"));
  expect(hexOf(Buffer.from(text))).toBe(Buffer.from(text).toString("hex"));
});

it.each(["", "YQ==", "YQ", "YWI=", "YWJj", "-_-_", "+/+/", "YW\nJj", "Y*W J", "YQ==YQ==", "////", "A", "é"])(
  "%j is decoded as by Node.js",
  (text) => expect([...fromBase64(text)]).toEqual([...Buffer.from(text, "base64")]),
);
