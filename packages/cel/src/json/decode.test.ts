import { describe, expect, it, vi } from "vitest";
import { decodeJoined, decodeJson, JsonSyntaxError, jsonProblem, parseJson } from "./decode.ts";

describe("decodeJson", () => {
  it.each(['{"a":[1,-2.5e3,true,false,null,"x\\n\\u00e9"],"b":{}}', " [ ] ", "0", '"x"', '{"__proto__":{"a":1}}'])(
    "decodes %s as JSON.parse does",
    (text) => {
      expect(JSON.stringify(decodeJson(text).value)).toBe(JSON.stringify(JSON.parse(text)));
    },
  );

  it.each([
    ["", "unexpected end of JSON input"],
    ['{"a"', "unexpected end of JSON input"],
    ['"a', "unexpected end of JSON input"],
    ["-", "unexpected end of JSON input"],
    ["{a:1}", "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ["[1 2]", "invalid character '2' after array element"],
    ["[1,]", "invalid character ']' looking for beginning of value"],
    ["1 2", "invalid character '2' after top-level value"],
    ["01", "invalid character '1' after top-level value"],
    ["1.x", "invalid character 'x' after decimal point in numeric literal"],
    ["1ex", "invalid character 'x' in exponent of numeric literal"],
    ["-x", "invalid character 'x' in numeric literal"],
    ["trux", "invalid character 'x' in literal true (expecting 'e')"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12x4"', "invalid character 'x' in \\u hexadecimal character escape"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ["é", "invalid character 'Ã' looking for beginning of value"],
  ])("rejects %j with Go's message", (text, message) => {
    expect(() => decodeJson(text)).toThrow(new JsonSyntaxError(message));
  });

  it("lists each repeated key once, with its path", () => {
    expect(decodeJson('{"a":{"b":1,"b":2,"b":3},"l":[{},{"c":1,"c":2}]}').duplicates).toEqual(["a.b", "l[1].c"]);
  });

  it.each(["0e123456-1234-12e4-8e12-7e1234567890", "12345678901234567890", "5-7e123"])(
    "leaves a document with the text %s to the parser of JavaScript, which is faster",
    (text) => {
      const parse = vi.spyOn(JSON, "parse");
      try {
        const document = `{"a":"${text}"}`;
        const expected = { a: text };
        expect(decodeJson(document).value).toEqual(expected);
        expect(parseJson(document)).toEqual(expected);
        expect(parse).toHaveBeenCalledTimes(2);
      } finally {
        parse.mockRestore();
      }
    },
  );

  it.each(["12345678901234567", "-12345678901234567", "[1,12345678901234567]", '{"a": -12345678901234567}'])(
    "reads the integer in %s exactly",
    (text) => {
      const exact = BigInt((/-?\d{17}/.exec(text) as RegExpExecArray)[0]);
      const plain = (value: unknown): unknown =>
        typeof value === "object" && value !== null ? Object.values(value).map(plain).at(-1) : value;
      expect(plain(decodeJson(text).value)).toBe(exact);
      expect(plain(parseJson(text))).toBe(exact);
    },
  );

  it.each(["1e400", "-1.5E+400", "[0,10e999]", '{"a":1e400}'])("rejects the number %s, which is too large", (text) => {
    expect(() => decodeJson(text)).toThrow("json: cannot unmarshal number");
  });

  it("limits the depth", () => {
    expect(decodeJson("[".repeat(10_000) + "]".repeat(10_000)).duplicates).toEqual([]);
    expect(() => decodeJson("[".repeat(10_001))).toThrow("invalid character '[' exceeded max depth");
  });
});

describe("jsonProblem", () => {
  it.each([
    ["{}", undefined],
    ["", "unexpected end of JSON input"],
    ["[1", "unexpected end of JSON input"],
    ["nul", "invalid character ' ' in literal null (expecting 'l')"],
    ["1.", "invalid character ' ' after decimal point in numeric literal"],
    ["-", "invalid character ' ' in numeric literal"],
  ])("%j: %j", (text, problem) => {
    expect(jsonProblem(text)).toBe(problem);
  });
});

describe("decodeJoined", () => {
  it.each([
    ['{"a":{"b":1,"c":{"d":1}},"a":{"b":2,"c":{"e":1}}}', { a: { b: 2, c: { d: 1, e: 1 } } }],
    ['{"a":[{"b":1}],"a":[{"c":1}]}', { a: [{ c: 1 }] }],
    ['{"a":{"b":1},"a":5}', { a: 5 }],
    ['{"a":5,"a":{"b":1}}', { a: { b: 1 } }],
  ])("joins the objects of equal keys in %s", (text, value) => {
    expect(decodeJoined(text)).toEqual(value);
    expect(decodeJoined(text)).not.toBe(decodeJson(text).value);
  });
});
