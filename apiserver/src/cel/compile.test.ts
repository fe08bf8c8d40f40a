import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile, perCallLimit } from "./compile.ts";
import { parseType } from "./function.ts";
import { formatType } from "./type.ts";
import { fromJson, type Value } from "./value.ts";

/** An expression with what Kubernetes' environment of cel-go answers. */
interface Row {
  expr: string;
  compile?: string;
  /** Why no program can be created. */
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
