import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile, perCallLimit } from "./compile.ts";
import { parseType } from "./declarations/function.ts";
import { formatType } from "./declarations/type.ts";
import { fromJson, type Value } from "./values/value.ts";

/** An expression with the result of cel-go in Kubernetes' environment. */
interface Row {
  expr: string;
  compile?: string;
  /** The reason why no program can be created. */
  program?: string;
  type?: string;
  est?: [string, string];
  err?: string;
  val?: string;
  cost?: string;
}

const rows = JSON.parse(readFileSync(new URL("../../testdata/cel/expressions.json", import.meta.url), "utf8")) as Row[];
const types = {
  x: "dyn",
  l: "list(string)",
  m: "map(string, int)",
  s: "string",
  i: "int",
  b: "bool",
  ll: "list(list(int))",
};
const variables = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, parseType(type)]));
const values: Record<string, Value> = {
  x: fromJson({ a: 1, f: 1.5, n: null, l: [1, 2, 3] }),
  l: fromJson(["a", "b", "c"]),
  m: fromJson({ k: 1, j: 2 }),
  s: "héllo",
  i: 3n,
  b: true,
  ll: fromJson([[1, 2], [3]]),
};

/** Compares estimates as numbers: those near 2^64 differ in their last digits. */
const rounded = (cost: string | number) => Number(cost).toPrecision(12);

test.each(rows)("$expr", (row) => {
  const compiled = compile(row.expr, { variables });
  if ("problems" in compiled) {
    expect(compiled.problems).toBe(row.compile ?? row.program);
    return;
  }
  expect(row.compile).toBeUndefined();
  expect(formatType(compiled.type)).toBe(row.type);
  expect([compiled.estimate.min, compiled.estimate.max].map(rounded)).toEqual(row.est?.map(rounded));
  const { value, error, cost } = compiled.program.evaluate((name) => values[name], perCallLimit);
  expect(error?.message).toBe(row.err);
  if (row.err !== undefined) return;
  expect(String(cost)).toBe(row.cost);
  if (typeof value !== "object") expect(String(value)).toBe(row.val);
});

const mappedError =
  'network address parse error during conversion from string: IPv4-mapped IPv6 address "::ffff:1.2.3.4/99" is not allowed';

/** Expressions whose verdicts were read from kube-apiserver, with the error of their evaluation if there is one. */
test.each([
  ["google.protobuf.Timestamp{} == google.protobuf.Timestamp{}", true],
  ["google.protobuf.Timestamp{seconds: 5} == timestamp('1970-01-01T00:00:05Z')", true],
  ["google.protobuf.Timestamp{seconds: 5, nanos: 7}.getMilliseconds() == 0", true],
  ["google.protobuf.Timestamp{seconds: 5, nanos: -7} == timestamp('1970-01-01T00:00:04.999999993Z')", true],
  ["google.protobuf.Timestamp{nanos: 2000000000} == timestamp('1970-01-01T00:00:02Z')", true],
  ["google.protobuf.Timestamp{seconds: 5} > google.protobuf.Timestamp{}", true],
  ["google.protobuf.Timestamp{seconds: 253402300800} == google.protobuf.Timestamp{}", false],
  ["type(google.protobuf.Timestamp{}) == google.protobuf.Timestamp", true],
  ["google.protobuf.Duration{seconds: i} == duration('3s')", true],
  ["google.protobuf.Duration{seconds: 5, nanos: -1} == duration('4.999999999s')", true],
  ["google.protobuf.Duration{seconds: 9223372036854775807} == duration('2s')", false],
  [
    "google.protobuf.Timestamp{nanos: 3000000000} == timestamp('1970-01-01T00:00:02Z')",
    "field type conversion error for google.protobuf.Timestamp.nanos value type: integer overflow",
  ],
  [
    "google.protobuf.Timestamp{seconds: dyn('x')} == google.protobuf.Timestamp{}",
    "field type conversion error for google.protobuf.Timestamp.seconds value type: unsupported native conversion from string to 'int64'",
  ],
  ["string(duration('1ns')) == '0.000000001s'", true],
  ["double('1_000.5') == 1000.5", true],
  ["semver('1.2.3-a..b').major() == 1", "Prerelease is empty"],
  ["semver('1.2.3+a+b').major() == 1", 'Invalid character(s) found in build meta data "a+b"'],
  ["semver('1..2').major() == 1", 'strconv.ParseUint: parsing "": invalid syntax'],
  ["semver('1.-2.3', true).major() == 1", 'Invalid character(s) found in minor number "0-2"'],
  ["semver('v01.02', true) == semver('1.2.0')", true],
  ["quantity('Ki') == quantity('0')", true],
  ["quantity('--1') == quantity('0')", "unable to parse quantity's suffix"],
  ["cidr('::ffff:1.2.3.4/99').prefixLength() == 99", mappedError],
])("%s", (expression, expected) => {
  const compiled = compile(expression, { variables });
  if ("problems" in compiled) throw new Error(compiled.problems);
  const { value, error } = compiled.program.evaluate((name) => values[name], perCallLimit);
  expect(error?.message ?? value).toBe(expected);
});

test("messages name the types of times as kube-apiserver does", () => {
  for (const [expression, types] of [
    ["timestamp('1970-01-01T00:00:05Z') == 's'", "timestamp, string"],
    ["duration('5s') == i", "duration, int"],
    ["[duration('5s')] == [i]", "list(duration), list(int)"],
  ] as const) {
    expect(compile(expression, { variables })).toMatchObject({
      problems: expect.stringContaining(`found no matching overload for '_==_' applied to '(${types})'`),
    });
  }
});
