import { describe, expect, it } from "vitest";
import { decodeJson } from "./decode.ts";
import type { Json } from "./json.ts";
import { cloneJson, compareBytes, encodeJson, encodeSorted, equalJson, goNumber } from "./values.ts";

describe("decodeJson", () => {
  it("reads values", () => {
    expect(decodeJson(' {"a":[1,-2.5e3,"x\\n\\u00e9",true,false,null,{}]} ').value).toEqual({
      a: [1, -2500, "x\né", true, false, null, {}],
    });
  });

  it("keeps integers of 64 bits", () => {
    const { value } = decodeJson("[9223372036854775807,-9223372036854775808,9007199254740993,9007199254740991]");
    expect(value).toEqual([9223372036854775807n, -9223372036854775808n, 9007199254740993n, 9007199254740991]);
    expect(encodeJson(value)).toBe("[9223372036854775807,-9223372036854775808,9007199254740993,9007199254740991]");
  });

  it("reads integers beyond 64 bits as floats", () => {
    expect(decodeJson("100000000000000000000").value).toBe(1e20);
  });

  it.each([
    ['{"a":1,"a":2}', ["a"], { a: 2 }],
    ['{"s":{"l":[{"b":1,"b":2}]},"s":{}}', ["s.l[0].b", "s"], { s: {} }],
    ['{"a":":","b":"\\":"}', [], { a: ":", b: '":' }],
    ['{"__proto__":1,"__proto__":2}', ["__proto__"], JSON.parse('{"__proto__":2}')],
  ])("finds the duplicates of %s", (text, duplicates, value) => {
    expect(decodeJson(text)).toEqual({ value, duplicates });
  });

  it("lists 100 duplicates at most", () => {
    const keys = Array.from({ length: 150 }, (_, index) => `"k${index}":1`).join(",");
    expect(decodeJson(`{${keys},${keys}}`).duplicates).toHaveLength(100);
  });

  it.each([
    ["", "unexpected end of JSON input"],
    ["{", "unexpected end of JSON input"],
    ["nul", "unexpected end of JSON input"],
    ["not", "invalid character 'o' in literal null (expecting 'u')"],
    ["{}}", "invalid character '}' after top-level value"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
    ["[1 2]", "invalid character '2' after array element"],
    ["[1,]", "invalid character ']' looking for beginning of value"],
    ["[01]", "invalid character '1' after array element"],
    ["[-a]", "invalid character 'a' in numeric literal"],
    ["[1.a]", "invalid character 'a' after decimal point in numeric literal"],
    ["[1e]", "invalid character ']' in exponent of numeric literal"],
    ['["\u0001"]', "invalid character '\\x01' in string literal"],
    ['["\\x"]', "invalid character 'x' in string escape code"],
    ['["\\u12g4"]', "invalid character 'g' in \\u hexadecimal character escape"],
    ["é", "invalid character 'Ã' looking for beginning of value"],
    ["[1e999]", "json: cannot unmarshal number 1e999 into Go value of type float64"],
  ])("refuses %s", (text, message) => {
    expect(() => decodeJson(text)).toThrow(message);
  });

  it("accepts 10,000 levels and refuses more", () => {
    const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    const { value } = decodeJson(nested(10_000));
    expect(encodeJson(cloneJson(value))).toBe(nested(10_000));
    expect(equalJson(value, cloneJson(value))).toBe(true);
    expect(() => decodeJson(nested(10_001))).toThrow("exceeded max depth");
  });
});

describe("values", () => {
  it("encodes as Go does", () => {
    expect(encodeSorted({ b: "<&>", a: [1, { d: null, c: 1n as unknown as Json }] })).toBe(
      '{"a":[1,{"c":1,"d":null}],"b":"\\u003c\\u0026\\u003e"}',
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
