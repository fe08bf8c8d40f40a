import { describe, expect, it } from "vitest";
import type { Json } from "./json.ts";
import { cloneJson, compareBytes, encodePretty, encodeSorted, equalJson, goNumber } from "./values.ts";

describe("values", () => {
  it.each([
    ['{"b":{"d":1,"c":[{"f":1,"e":2}]},"a":null}', '{"a":null,"b":{"c":[{"e":2,"f":1}],"d":1}}'],
    ['{"9":1,"a":2,"10":3,"-":4}', '{"-":4,"10":3,"9":1,"a":2}'],
    ['{"\\ud83d\\ude00":1,"\\uffee":2,"z":3}', '{"z":3,"\uffee":2,"\u{1f600}":1}'],
  ])("sorts the keys of %s by their bytes", (text, sorted) => {
    expect(encodeSorted(JSON.parse(text) as Json)).toBe(sorted);
  });

  it("encodes as Go does", () => {
    expect(encodeSorted({ b: "<&>", a: [1, { d: null, c: 1n as unknown as Json }] })).toBe(
      '{"a":[1,{"c":1,"d":null}],"b":"\\u003c\\u0026\\u003e"}',
    );
  });

  it("indents integers of 64 bits and texts that look like them", () => {
    const big = 9007199254740993n as unknown as Json;
    expect(encodePretty({ a: big, "#": ["#12", "##1", "1", big], b: "<" })).toBe(
      '{\n  "a": 9007199254740993,\n  "#": [\n    "#12",\n    "##1",\n    "1",\n    9007199254740993\n  ],\n  "b": "\\u003c"\n}',
    );
  });

  it("clones an own key named __proto__", () => {
    const value = JSON.parse('{"a":{"__proto__":{"x":[]}}}') as Json;
    expect(JSON.stringify(cloneJson(value))).toBe('{"a":{"__proto__":{"x":[]}}}');
  });

  it.each([
    [{ a: undefined }, {}, true],
    [{ a: 1 }, { b: 1 }, false],
    [[1, [2]], [1, [2]], true],
    [[1], { 0: 1 }, false],
    [{}, null, false],
  ])("compares %j with %j", (left, right, equal) => {
    expect(equalJson(left as Json, right as Json)).toBe(equal);
  });

  it("sorts by bytes", () => {
    expect(["\u{1f600}", "\uffee", "b", "a"].sort(compareBytes)).toEqual(["a", "b", "\uffee", "\u{1f600}"]);
  });

  it.each([
    [0.5, "0.5"],
    [1e-5, "1e-05"],
    [1e20, "1e+20"],
    [1234567, "1234567"],
    [1234567.5, "1.2345675e+06"],
    [1e21, "1e+21"],
    [12n, "12"],
  ])("formats %d", (value, text) => {
    expect(goNumber(value)).toBe(text);
  });
});
