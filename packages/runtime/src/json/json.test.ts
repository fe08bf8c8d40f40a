import { describe, expect, it } from "vitest";
import { cloneJson } from "./clone.ts";
import { semanticEqual } from "./equal.ts";
import { deepFreeze } from "./freeze.ts";
import { parseJson } from "./parse.ts";
import { seededRandom } from "./random.fixture.ts";
import { stringifyJson } from "./stringify.ts";

describe("parseJson and stringifyJson", () => {
  const roundTrips = [
    '{"a":9007199254740993}',
    '{"a":-9223372036854775808,"b":9223372036854775807}',
    "[18446744073709551615]",
    "12345678901234567890123",
    '{"s":"9007199254740993","t":"a\\"9007199254740993","u":"\\\\","v":9007199254740993}',
    '{"x":[[1,2,{"y":100000000000000000000000001}]],"z":"ü"}',
  ];
  it.each(roundTrips)("keep the digits of %s", (text) => {
    expect(stringifyJson(parseJson(text))).toBe(text);
  });

  it("return bigint only beyond 2^53-1", () => {
    expect(parseJson("[9007199254740991,9007199254740992,-9007199254740991,-9007199254740993]")).toEqual([
      9007199254740991,
      9007199254740992n,
      -9007199254740991,
      -9007199254740993n,
    ]);
  });

  it("parse numbers with fraction or exponent as floats", () => {
    const text = "[0.1234567890123456789,1234567890123456789.5,12345678901234567e3,1e+12]";
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it("don't change digits in strings and keys", () => {
    const text = '{"12345678901234567890":"12345678901234567890","n":12345678901234567890}';
    expect(parseJson(text)).toEqual({ "12345678901234567890": "12345678901234567890", n: 12345678901234567890n });
  });

  it.each(['{"a":1234567890123456', '{"a":"1234567890123456', "<html>1234567890123456</html>", "12345678901234567 1"])(
    "throw SyntaxError for %s",
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    },
  );

  it("keep a __proto__ key as data", () => {
    const text = '{"__proto__":{"n":12345678901234567890}}';
    const value = parseJson(text);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(stringifyJson(value)).toBe(text);
  });

  it("return the same as JSON.parse for random documents without long integers", () => {
    const random = seededRandom(7);
    for (let round = 0; round < 300; round++) {
      const text = JSON.stringify(randomValue(random, 4));
      expect(parseJson(text)).toEqual(JSON.parse(text));
      const withBig = `[${text},12345678901234567890]`;
      expect(stringifyJson(parseJson(withBig))).toBe(withBig);
    }
  });

  it("reject undefined and cycles", () => {
    expect(() => stringifyJson(undefined)).toThrow(TypeError);
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    expect(() => stringifyJson(cycle)).toThrow(TypeError);
  });
});

describe("cloneJson", () => {
  it("copies deeply, also frozen values", () => {
    const value = deepFreeze({ a: [1, { b: null, c: "x", d: 12n }], e: {}, f: [] as string[] });
    const copy = cloneJson(value);
    expect(copy).toEqual(value);
    copy.f.push("y");
    (copy.a[1] as { c: string }).c = "z";
    expect(value.f).toEqual([]);
    expect(value.a[1]).toEqual({ b: null, c: "x", d: 12n });
  });

  it("keeps a __proto__ key as data", () => {
    const copy = cloneJson(JSON.parse('{"__proto__":{"a":1}}') as object);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.keys(copy)).toEqual(["__proto__"]);
  });
});

describe("deepFreeze", () => {
  it("makes each level throw on a change", () => {
    const value = deepFreeze({ metadata: { labels: { a: "b" } }, list: [{ x: 1 }] });
    expect(() => {
      value.metadata.labels.a = "c";
    }).toThrow(TypeError);
    expect(() => value.list.push({ x: 2 })).toThrow(TypeError);
    expect(() => {
      value.list[0]!.x = 2;
    }).toThrow(TypeError);
  });
});

describe("semanticEqual", () => {
  it("compares bigint and number by value", () => {
    expect(semanticEqual({ n: 5n }, { n: 5 })).toBe(true);
    expect(semanticEqual({ n: 5n }, { n: 6 })).toBe(false);
    expect(semanticEqual({ n: 5n }, { n: "5" })).toBe(false);
  });

  it.each([
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [{ a: [] }, {}],
    [{ labels: {} }, { labels: null }],
    [{ metadata: { annotations: {} } }, { metadata: {} }],
    [undefined, []],
    [{ a: [{ b: [] }] }, { a: [{}] }],
  ])("returns true for %j and %j", (a, b) => {
    expect(semanticEqual(a, b)).toBe(true);
    expect(semanticEqual(b, a)).toBe(true);
  });

  it.each([
    [{ a: 1 }, { a: 2 }],
    [{ a: 0 }, {}],
    [{ emptyDir: {} }, {}],
    [{ namespaceSelector: {} }, { namespaceSelector: null }],
    [{ a: "" }, {}],
    [{ a: false }, {}],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], { 0: 1 }],
    [{ a: "1" }, { a: 1 }],
    [{ a: { b: 1 } }, {}],
  ])("returns false for %j and %j", (a, b) => {
    expect(semanticEqual(a, b)).toBe(false);
    expect(semanticEqual(b, a)).toBe(false);
  });
});

describe("semanticEqual with quantities", () => {
  const pod = (spec: unknown, apiVersion = "v1") => ({ apiVersion, spec });
  const of = (limits: unknown, apiVersion?: string) => pod({ containers: [{ resources: { limits } }] }, apiVersion);

  it("K10: compares quantities in fields of built-in kinds by value", () => {
    expect(semanticEqual(of({ cpu: 1, memory: "1Gi" }), of({ cpu: "1000m", memory: "1024Mi" }))).toBe(true);
    expect(semanticEqual(of({ cpu: "1" }), of({ cpu: "1001m" }))).toBe(false);
    expect(semanticEqual(of({ cpu: "1" }), of({}))).toBe(false);
    expect(semanticEqual(pod({ emptyDir: { sizeLimit: "1Gi" } }), pod({ emptyDir: { sizeLimit: "1024Mi" } }))).toBe(
      true,
    );
    expect(semanticEqual(pod({ hard: { pods: "10" } }), pod({ hard: { pods: 10n } }))).toBe(true);
  });

  it("K10: compares other text and invalid quantities exactly", () => {
    const differ = (one: unknown, other: unknown) => expect(semanticEqual(pod(one), pod(other))).toBe(false);
    differ({ data: { a: "1" } }, { data: { a: "1000m" } });
    differ({ data: { sizeLimit: "1.1" } }, { data: { sizeLimit: "1.10" } });
    differ({ parameters: { divisor: "1" } }, { parameters: { divisor: "1.0" } });
    differ({ env: [{ name: "X", value: "1" }] }, { env: [{ name: "X", value: "1.0" }] });
    differ({ args: ["1"] }, { args: ["1000m"] });
    expect(semanticEqual(of({ cpu: "many" }), of({ cpu: "few" }))).toBe(false);
    expect(semanticEqual(of({ cpu: "many" }), of({ cpu: "many" }))).toBe(true);
    expect(semanticEqual(of({ nested: { a: "1" } }), of({ nested: { a: "1000m" } }))).toBe(false);
  });

  it.each(["example.com/v1", "apps.example.com/v1", "apiextensions.k8s.io/v1"])(
    "K10: compares text of %s exactly, regardless of field names",
    (apiVersion) => {
      const game = (version: string) => pod({ min: { version } }, apiVersion);
      expect(semanticEqual(game("1.1"), game("1.10"))).toBe(false);
      expect(semanticEqual(of({ cpu: "1" }, apiVersion), of({ cpu: "1000m" }, apiVersion))).toBe(false);
      expect(semanticEqual({ min: { version: "1.1" } }, { min: { version: "1.10" } })).toBe(false);
    },
  );
});

function randomValue(random: () => number, depth: number): unknown {
  const pick = Math.floor(random() * (depth > 0 ? 7 : 5));
  if (pick === 0) return Math.floor(random() * 1e15) - 5e14;
  if (pick === 1) return random();
  if (pick === 2) return `q"\\${random()}\u00e9\n`;
  if (pick === 3) return null;
  if (pick === 4) return random() < 0.5;
  const children = Array.from({ length: Math.floor(random() * 4) }, () => randomValue(random, depth - 1));
  return pick === 5 ? children : Object.fromEntries(children.map((child, index) => [`k"${index}`, child]));
}
