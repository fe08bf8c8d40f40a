// The expressions of cel-spec's conformance tests must have the same types, costs, values and errors as in
// kube-apiserver.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile, perCallLimit } from "./compile.ts";
import { parseType } from "./declarations/function.ts";
import { formatType, type Type, wrapperType } from "./declarations/type.ts";
import {
  ArrayList,
  Duration,
  EntryMap,
  keyOf,
  ListValue,
  MapValue,
  noValue,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from "./values/value.ts";

/** A value with its type, as scripts/api-data/kubernetes/cel writes it. */
type Shown =
  | { null: true }
  | { bool: boolean }
  | Record<"int" | "uint" | "double" | "string" | "bytes" | "duration" | "timestamp" | "type", string>
  | { optional: Shown | null }
  | { list: Shown[] }
  | { map: [Shown, Shown][] };

interface Row {
  name: string;
  expr: string;
  variables?: Record<string, string>;
  bindings?: Record<string, Shown>;
  compile?: string;
  program?: string;
  type?: string;
  est?: [string, string];
  err?: string;
  val?: Shown;
  cost?: string;
}

const file = readFileSync(new URL("../../testdata/cel/spec.jsonl", import.meta.url), "utf8");
const rows = file
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);

function typeOf(text: string): Type {
  const wrapped = /^wrapper\((.*)\)$/.exec(text);
  if (wrapped !== null) return wrapperType(parseType(wrapped[1] as string));
  return parseType(
    text
      .replaceAll("google.protobuf.Timestamp", "timestamp")
      .replaceAll("google.protobuf.Duration", "duration")
      .replaceAll("null_type", "null"),
  );
}

function celValue(given: Shown): Value {
  const [[form, content]] = Object.entries(given) as [[string, never]];
  switch (form) {
    case "null":
      return null;
    case "int":
      return BigInt(content);
    case "uint":
      return new Uint(BigInt(content));
    case "double":
      return doubleOf(content);
    case "bytes":
      return new Uint8Array(Buffer.from(content, "base64"));
    case "duration":
      return new Duration(BigInt(content));
    case "timestamp": {
      const [seconds = "", nanos = ""] = String(content).split(".");
      return new Timestamp(BigInt(seconds) * 1_000_000_000n + BigInt(nanos));
    }
    case "type":
      return new TypeValue(content);
    case "optional":
      return content === null ? noValue : new Optional(celValue(content));
    case "list":
      return new ArrayList((content as Shown[]).map(celValue));
    case "map":
      return new EntryMap(
        new Map(
          (content as [Shown, Shown][]).map(([key, value]): [string, [Value, Value]] => [
            keyOf(celValue(key)) as string,
            [celValue(key), celValue(value)],
          ]),
        ),
      );
    default:
      return content;
  }
}

const doubleOf = (text: string): number =>
  text === "+Inf" ? Number.POSITIVE_INFINITY : text === "-Inf" ? Number.NEGATIVE_INFINITY : Number(text);

/** Writes a value as the rows do. Doubles are compared as numbers. */
function shown(value: Value): unknown {
  if (value === null) return { null: true };
  if (typeof value === "boolean") return { bool: value };
  if (typeof value === "bigint") return { int: String(value) };
  if (typeof value === "number") return { double: value };
  if (typeof value === "string") return { string: value };
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("base64") };
  if (value instanceof Uint) return { uint: String(value.value) };
  if (value instanceof Duration) return { duration: String(value.nanos) };
  if (value instanceof TypeValue) return { type: value.name };
  if (value instanceof Timestamp) {
    const nanos = ((value.nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
    return { timestamp: `${(value.nanos - nanos) / 1_000_000_000n}.${String(nanos).padStart(9, "0")}` };
  }
  if (value instanceof Optional) return { optional: value.value === undefined ? null : shown(value.value) };
  if (value instanceof ListValue) return { list: [...value].map(shown) };
  if (value instanceof MapValue) {
    return { map: sorted([...value.keys()].map((key) => [shown(key), shown(value.get(key) as Value)])) };
  }
  return { opaque: value.typeName };
}

const sorted = (entries: unknown[]): unknown[] =>
  entries.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

function expected(given: Shown | undefined): unknown {
  if (given === undefined) return undefined;
  const [[form, content]] = Object.entries(given) as [[string, never]];
  // Go writes empty bytes as null.
  if (form === "bytes") return { bytes: content ?? "" };
  if (form === "double") return { double: doubleOf(content) };
  if (form === "list") return { list: (content as Shown[]).map(expected) };
  if (form === "map") {
    return { map: sorted((content as [Shown, Shown][]).map((entry) => entry.map(expected))) };
  }
  if (form === "optional") return { optional: content === null ? null : expected(content) };
  return given;
}

/** The types of the checker's messages have shorter names than the same types as values. */
const shownType = (type: string): string =>
  type
    .replaceAll("null_type", "null")
    .replaceAll(/google\.protobuf\.(Any|Duration|Timestamp)/g, (_, name: string) => name.toLowerCase());

/** Compares estimates as numbers: those near 2^64 differ in their last digits. */
const rounded = (cost: string | number) => Number(cost).toPrecision(12);

test.each(rows)("$name: $expr", (row) => {
  const variables = Object.fromEntries(
    Object.entries(row.variables ?? {}).map(([name, type]) => [name, typeOf(type)] as const),
  );
  const compiled = compile(row.expr, { variables });
  if ("problems" in compiled) {
    expect(compiled.problems).toBe(row.compile ?? row.program);
    return;
  }
  expect(row.compile ?? row.program).toBeUndefined();
  expect(formatType(compiled.type)).toBe(shownType(row.type as string));
  expect([compiled.estimate.min, compiled.estimate.max].map(rounded)).toEqual(row.est?.map(rounded));
  const values = Object.fromEntries(
    Object.entries(row.bindings ?? {}).map(([name, value]) => [name, celValue(value)] as const),
  );
  const { value, error, cost } = compiled.program.evaluate((name) => values[name], perCallLimit);
  expect(error?.message).toBe(row.err);
  if (row.err !== undefined) return;
  expect(shown(value as Value)).toEqual(expected(row.val));
  expect(String(cost)).toBe(row.cost);
});
