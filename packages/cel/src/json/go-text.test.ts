import { describe, expect, it } from "vitest";
import { compareText, goFixed, goFormat, goJson, goSyntax, goType } from "./go-text.ts";

describe("Go's text forms", () => {
  it.each([
    [1, "1"],
    [1.5, "1.5"],
    [1234567.5, "1.2345675e+06"],
    [0.0001, "0.0001"],
    [0.00001, "1e-05"],
    [{ b: [1, "x", null], a: true }, "map[a:true b:[1 x <nil>]]"],
  ])("formats %j as %s", (value, text) => {
    expect(goFormat(value)).toBe(text);
  });

  it.each([
    [0.9765625, "0.976562"],
    [1.0078125, "1.007812"],
    [1.0234375, "1.023438"],
    [1 / 3, "0.333333"],
    [2, "2.000000"],
  ])("formats %d with six digits as %s", (value, text) => {
    expect(goFixed(value, 6)).toBe(text);
  });

  it("formats values as Go syntax", () => {
    expect(goSyntax({ b: 1, a: [1.5, "x", null, true] })).toBe(
      'map[string]interface {}{"a":[]interface {}{1.5, "x", interface {}(nil), true}, "b":1}',
    );
  });

  it("sorts keys and escapes HTML in JSON", () => {
    expect(goJson({ b: "<&>", a: 1 })).toBe('{"a":1,"b":"\\u003c\\u0026\\u003e"}');
  });

  it("names types", () => {
    expect([1, 1.5, "x", true, [], {}, null].map(goType)).toEqual([
      "int64",
      "float64",
      "string",
      "bool",
      "[]interface {}",
      "map[string]interface {}",
      "<nil>",
    ]);
  });

  it("compares strings by code points", () => {
    const texts = ["b", "a", "\u{10000}", "\uffff", "é", "ab"];
    expect([...texts].sort(compareText)).toEqual(["a", "ab", "b", "é", "\uffff", "\u{10000}"]);
  });
});
