import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { canonicalJson, hashOf } from "./canonical-json.ts";

it.each([
  ["sorted keys", { a: 1, b: { c: "x" } }],
  ["keys in another order", { b: { d: 1, c: "x" }, a: [{ z: 1, y: [2] }] }],
  ["undefined fields and items", { a: undefined, b: [undefined, 1], c: null }],
  ["keys that look like numbers", { "10": "a", "9": "b", b: 1, a: { "2": 1, "10": 2 } }],
  ["the key __proto__", JSON.parse('{"b":1,"__proto__":{"y":1,"x":2},"a":2}')],
  ["big and special numbers", { b: 2n ** 60n, a: [Number.NaN, -0, 1e21] }],
  ["functions, symbols and dates", { b: () => 1, a: [Symbol("a")], c: new Date(0) }],
  ["characters that are escaped", { 'b"\\': "\u0000\n\ud800", a: "ä" }],
])("the hash covers the canonical text of %s", (_, value) => {
  expect(hashOf(value)).toBe(`v1-${hash("sha256", canonicalJson(value), "hex").slice(0, 16)}`);
});

it("the canonical text doesn't depend on the order of keys", () => {
  expect(canonicalJson({ b: { d: 1, c: [2] }, a: undefined })).toBe('{"b":{"c":[2],"d":1}}');
  expect(hashOf({ b: { d: 1, c: [2] } })).toBe(hashOf({ a: undefined, b: { c: [2], d: 1 } }));
});
