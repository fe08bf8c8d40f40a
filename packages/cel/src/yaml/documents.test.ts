import { describe, expect, it } from "vitest";
import { readYamlDocuments } from "./documents.ts";
import { readYamlDocument } from "./read.ts";

const read = (text: string): unknown => readYamlDocument(text).value;

describe("values are those of YAML 1.1 as kubectl reads them", () => {
  it.each([
    ["0644", 420],
    ["0o17", 15],
    ["0b101", 5],
    ["-0x1F", -31],
    ["08", 8],
    ["1_000", 1000],
    ["1_0.5", 10.5],
    [".5", 0.5],
    ["1e3", 1000],
    ["+1", 1],
    ["1:20", "1:20"],
    ["yes", true],
    ["Off", false],
    ["y", true],
    ["yEs", "yEs"],
    ["~", null],
    ["", null],
    ["2020-01-01", "2020-01-01"],
    ["2001-12-14t21:59:43.10Z", "2001-12-14t21:59:43.10Z"],
    ["9007199254740993", 9007199254740993n],
    ["-9223372036854775808", -9223372036854775808n],
    ["18446744073709551615", 18446744073709552000],
    ["123456789012345678901", 123456789012345680000],
    ["0x1ffffffffffffffff", "0x1ffffffffffffffff"],
    ["1e400", "1e400"],
    ["!!str 0644", "0644"],
    ["!!float 5", 5],
    ["! 5", "5"],
    ["!!binary /w==", "\ufffd"],
    ["'0644'", "0644"],
    ["<<", "<<"],
  ])("%s", (text, value) => {
    expect(read(`a: ${text}`)).toEqual({ a: value });
    expect(read(`[${text.includes(":") ? `"${text}"` : text}]`)).toEqual(text === "" ? [] : [value]);
  });
});

describe("keys become the texts of Go", () => {
  it.each([
    ["yes", "true"],
    ["0x10", "16"],
    ["010", "8"],
    ["1.0", "1"],
    ["1.10", "1.1"],
    ["1234567.2", "1.2345672e+06"],
    ["1e300", ".inf"],
    [".nan", ".nan"],
    ["2020-01-01", "2020-01-01"],
    ["'yes'", "yes"],
    ["__proto__", "__proto__"],
    ["&x a", "a"],
    ["!!str 1", "1"],
  ])("%s", (key, text) => {
    expect(Object.keys(read(`${key}: 1`) as object)).toEqual([text]);
  });

  it("of aliases, also without a space in front of the colon", () => {
    expect(read("a: &x 1\n*x: 2")).toEqual({ a: 1, 1: 2 });
  });
});

describe("structures", () => {
  it.each([
    ["- -\n- x", [[null], "x"]],
    ["-\n  -\n- x", [[null], "x"]],
    ["a: |\n  - -\nb:\n- -\n- x", { a: "- -\n", b: [[null], "x"] }],
    ["a: 1\n<<: {a: 2, b: 3}", { a: 2, b: 3 }],
    ["<<: {a: 2, b: 3}\na: 1", { a: 1, b: 3 }],
    ["<<: [{a: 1}, {a: 2, b: 2}]", { a: 1, b: 2 }],
    ["'<<': 1", { "<<": 1 }],
    ["a: .inf\na: 1", { a: 1 }],
    ["---\n---\na: 1", null],
    ["\ufeffa: 1\r\nb: 2\r\n", { a: 1, b: 2 }],
    ['a: "b\x85c"', { a: "b c" }],
    ["%YAML 1.1\n---\na: 1\n...\nb: 1", { a: 1 }],
    ["a: !!str\nb: &x\nc: *x", { a: "", b: null, c: null }],
    ["[a: b]", [{ a: "b" }]],
    ["a: '\\/'\nb: \\ud83d", { a: "\\/", b: "\\ud83d" }],
  ])("%j", (text, value) => {
    expect(read(text)).toEqual(value);
  });

  it.each([
    ["%YAML 1.2\n---\na: 1", "yaml: found incompatible YAML document"],
    ["%OWN x\n---\na: 1", "yaml: found unknown directive name"],
    ["--- a: 1", "yaml: mapping values are not allowed in this context"],
    ["a: \x07", "yaml: control characters are not allowed"],
    ["18446744073709551615: 1", "unsupported map key of type: uint64, key: 0xffffffffffffffff, value: 1"],
    ['a: "\\/"', "yaml: found unknown escape character"],
    ['b: 1\na: "\\ud83d\\ude00"', "yaml: line 2: found invalid Unicode character escape code"],
    ["a: !!int 1.5", "yaml: cannot decode !!float `1.5` as a !!int"],
    ["a: !!float 18446744073709551615", "yaml: cannot decode !!int `18446744073709551615` as a !!float"],
    ["a: !!binary 'eA ='", "yaml: !!binary value contains invalid base64 data"],
  ])("%j is refused", (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});

describe("all documents of a file", () => {
  it.each([
    ["a: 1\n--- # c\n# nothing\n---\nb: 0644\n", [{ a: 1 }, { b: 420 }]],
    ["a: 1\n...\nb: 1\n---\nc: 1", [{ a: 1 }, { c: 1 }]],
    ["", []],
    ["---\n---\n", []],
    ['{"a": 1}\n{"b": 2} {"c": 3}', [{ a: 1 }, { b: 2 }, { c: 3 }]],
    ['{"a": "\\ud83d\\ude00"}', [{ a: "😀" }]],
    ["a: &x 1\n---\nb: 1\r\n---\r\nc: 2\r\n", [{ a: 1 }, { b: 1 }, { c: 2 }]],
  ])("%j", (text, values) => {
    expect(readYamlDocuments(text)).toEqual(values);
  });

  it.each([
    ["a: 1\n---\nb: 1\nc: d: e\n", "yaml: line 4: mapping values are not allowed in this context"],
    ["a: 1\n---\nb: 1\nb: 2\n", 'yaml: line 4: key "b" already set in map'],
    ["010: 1\n8: 2\n", "key 8 already set in map"],
    ["1: 1\n'1': 2\n", 'key "1" already set in map'],
    ["a: 1\n--- b\n", "line 2: invalid Yaml document separator: b"],
    ["a: 1\n---\nb: *c\n", "yaml: unknown anchor 'c' referenced"],
  ])("%j is refused", (text, message) => {
    expect(() => readYamlDocuments(text)).toThrow(message);
  });

  it("accepts keys that an object has beside merged ones", () => {
    expect(readYamlDocuments("x: &x {a: 1}\nz: {<<: *x, a: 2}")).toEqual([{ x: { a: 1 }, z: { a: 2 } }]);
  });
});

describe("a text of JSON", () => {
  it.each(["\x85", "\x7f", "\u2028", "\ufeff", "\uffff"])("keeps %j in keys and values", (char) => {
    const value = { [`a${char}b`]: `${char}c`, list: [char] };
    expect(readYamlDocuments(JSON.stringify(value))).toEqual([value]);
    expect(readYamlDocuments(` \n${JSON.stringify(value, null, 2)}\n`)).toEqual([value]);
  });

  it("that isn't valid JSON is YAML, where the next line is a line break", () => {
    expect(readYamlDocuments('{a: "b\x85c"}')).toEqual([{ a: "b c" }]);
  });
});
