import { describe, expect, it } from "vitest";
import { decodeYaml } from "./yaml.ts";

const decode = (text: string): unknown => decodeYaml(text, (message) => new Error(message)).value;

describe("aliases", () => {
  it("are separate copies, as in JSON", () => {
    const value = decode("a: &x {b: [1]}\nc: *x") as { a: { b: number[] }; c: { b: number[] } };
    value.a.b.push(2);
    expect(value).toEqual({ a: { b: [1, 2] }, c: { b: [1] } });
  });

  it("that multiply the size exponentially are rejected", () => {
    const levels = (count: number): string =>
      Array.from(
        { length: count },
        (_, level) =>
          `a${level}: &a${level} [${Array(10)
            .fill(level === 0 ? "x" : `*a${level - 1}`)
            .join(",")}]`,
      ).join("\n");
    expect(decode(levels(2))).toMatchObject({ a1: Array(10).fill(Array(10).fill("x")) });
    expect(() => decode(levels(12))).toThrow(
      "error converting YAML to JSON: yaml: document contains excessive aliasing",
    );
  });

  it("of long strings are rejected if their total length is too large", () => {
    const text = `a: &a ${"x".repeat(1_000_000)}\nb: [${Array(50).fill("*a").join(",")}]`;
    expect(() => decode(text)).toThrow("excessive aliasing");
  });
});

it("rejects an alias that refers to its own parent", () => {
  expect(() => decode("&a [*a]")).toThrow("yaml");
});

describe("repeated keys", () => {
  const repeated = (keys: number, padding: number): string => {
    const lines = Array.from({ length: keys }, (_, index) => `k${index}: ${"x".repeat(padding)}`);
    return [...lines, ...lines].join("\n");
  };
  const messages = (text: string): string[] => decodeYaml(text, (message) => new Error(message)).duplicates;

  it("are all reported, up to a hundred", () => {
    expect(messages(repeated(3, 10))).toEqual(
      [0, 1, 2].map((key) => `line ${key + 4}: key "k${key}" already set in map`),
    );
    expect(messages(repeated(200, 10))).toHaveLength(100);
  });

  it("are shown without their quotes, also those of JSON on one line", () => {
    expect(messages("\"a: b\": 1\nc:\n- 'it''s': 1\n  'it''s': 2\n\"a: b\": 2")).toEqual([
      'line 4: key "it\'s" already set in map',
      'line 5: key "a: b" already set in map',
    ]);
    expect(messages('{"a": {"b": 1, "b": 2}, "c": 3, "c": 4}')).toEqual([
      'line 1: key "b" already set in map',
      'line 1: key "c" already set in map',
    ]);
  });

  it("are shown as the values that they are", () => {
    expect(messages("{yes: 1, on: 2, 1.5: 3, 1.50: 4, 0x10: 5, 16: 6, 'no': 7, \"no\": 8}")).toEqual(
      ["true", "1.5", "16", '"no"'].map((key) => `line 1: key ${key} already set in map`),
    );
  });
});

describe("YAML that Go's library reads otherwise", () => {
  it.each([
    ["a: !!binary eA==", { a: "x" }],
    ["a: !own b", { a: "b" }],
    ["a: !own {b: 1}", { a: { b: 1 } }],
    ["a: &x {b: 1}\nc:\n  <<: *x\n  d: 2", { a: { b: 1 }, c: { b: 1, d: 2 } }],
    ["a: {'null': b, c: ']: d'}", { a: { null: "b", c: "]: d" } }],
    ["? a\n: {? b : [c]}", { a: { b: ["c"] } }],
    ["a: !!set {x}\nb: !!omap [c: 1]\nd: !!timestamp 2001-12-14", { a: { x: null }, b: [{ c: 1 }], d: "2001-12-14" }],
    ["a: b\n---\nc: [", { a: "b" }],
    ["# c\n---\na: b\n--- \nc: d: e", { a: "b" }],
  ])("%j", (text, value) => {
    expect(decode(text)).toEqual(value);
  });
});

describe("messages have the words and lines of Go's library", () => {
  it.each([
    ["a: .inf", "json: unsupported value: +Inf"],
    ["a: b\nc:\n\td: e", "yaml: line 3: found character that cannot start any token"],
    ["\ta: b", "yaml: found character that cannot start any token"],
    ["a: b\nc: @x", "yaml: line 2: found character that cannot start any token"],
    ["a:\n  b: c\n d: e", "yaml: line 2: did not find expected key"],
    ["a:\n  - b\n  c: d", "yaml: line 2: did not find expected '-' indicator"],
    ["a: b\nc: d: e", "yaml: line 2: mapping values are not allowed in this context"],
    ["a: b: c", "yaml: mapping values are not allowed in this context"],
    ["a: {b: c", "yaml: line 1: did not find expected ',' or '}'"],
    ["a: [b\n", "yaml: line 1: did not find expected ',' or ']'"],
    ["a: {", "yaml: line 1: did not find expected node content"],
    ['a: b\nc: "d\n', "yaml: line 3: found unexpected end of stream"],
    ['a: "\\x"', "yaml: did not find expected hexdecimal number"],
    ["a: {null: b}", 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "b"'],
    [
      "a: {~: {b: 1}}",
      'unsupported map key of type: %!s(<nil>), key: <nil>, value: map[interface {}]interface {}{"b":1}',
    ],
    ["a: {Null: b, NULL: c}", 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "c"'],
    ["a: {[b, c]: d}", 'yaml: invalid map key: []interface {}{"b", "c"}'],
    ["a:\n  ? {b: [c]}\n  : d", 'yaml: invalid map key: map[interface {}]interface {}{"b":[]interface {}{"c"}}'],
    ["a: !!binary x", "yaml: !!binary value contains invalid base64 data"],
    ["a: &x [*x]", "yaml: anchor 'x' value contains itself"],
    ["...", "yaml: did not find expected node content"],
    ["a: !!int x", "yaml: cannot decode !!str `x` as a !!int"],
    ["a: {b: !!bool 5, c: d}", "yaml: cannot decode !!int `5` as a !!bool"],
    ["a: !!float 'x'", "yaml: cannot decode !!str `x` as a !!float"],
    ["a: {<<: 5}", "yaml: map merge requires map or sequence of maps as the value"],
    ["# a\n...\nb: c", "yaml: line 1: did not find expected node content"],
  ])("%j", (text, message) => {
    expect(() => decode(text)).toThrow(`error converting YAML to JSON: ${message}`);
  });
});
