import type { Json, JsonObject } from "@kubewright/cel/json";
import { describe, expect, it } from "vitest";
import { reconcileWithSchema } from "../schema-changes.ts";
import { readRows, smdType } from "../structured-merge-diff.fixture.ts";
import { TypeProblems } from "./atom.ts";
import { compare } from "./compare.ts";
import { FieldSet } from "./field-set.ts";
import { merge } from "./merge.ts";
import { extractItems, removeItems } from "./remove-items.ts";
import { toFieldSet } from "./to-field-set.ts";
import { validateType } from "./validate.ts";

interface Row extends JsonObject {
  table: string;
  name: string;
  schema: number;
  type: string;
}

const rows = readRows<Row>("typed.jsonl");
const rowsOf = (table: string) =>
  rows.filter((row) => row.table === table).map((row, index) => [`${row.name} ${index}`, row] as const);
const typeOf = ({ schema, type }: Row) => smdType(schema, type);
const fields = (value: Json | undefined) => FieldSet.fromFieldsV1(value).toString();

describe("typed operations agree with structured-merge-diff", () => {
  it.each(rowsOf("merge"))("merge %s", (_, row) => {
    expect(merge(typeOf(row), row.live as Json, row.applied as Json)).toEqual(row.merged);
  });

  it.each(rowsOf("compare"))("compare %s", (_, row) => {
    const { removed, modified, added } = compare(typeOf(row), row.before as Json, row.after as Json);
    expect(removed.toString()).toBe(fields(row.removed));
    expect(modified.toString()).toBe(fields(row.modified));
    expect(added.toString()).toBe(fields(row.added));
  });

  it.each(rowsOf("toFieldSet"))("toFieldSet %s", (_, row) => {
    expect(toFieldSet(typeOf(row), row.object as Json).toString()).toBe(fields(row.set));
  });

  it.each(rowsOf("remove"))("remove and extract %s", (_, row) => {
    const set = FieldSet.fromFieldsV1(row.set);
    expect(removeItems(typeOf(row), row.object as Json, set)).toEqual(row.removed);
    expect(extractItems(typeOf(row), row.object as Json, set)).toEqual(row.extracted);
  });

  it.each(rowsOf("extractWithKeys"))("extract with keys %s", (_, row) => {
    const set = FieldSet.fromFieldsV1(row.set);
    const expected = typeof row.extracted === "string" ? (JSON.parse(row.extracted) as Json) : row.extracted;
    expect(extractItems(typeOf(row), row.object as Json, set, true)).toEqual(expected);
  });

  it.each(rowsOf("validate"))("validate %s", (_, row) => {
    const message = (allowDuplicates: boolean) => {
      const problems = validateType(typeOf(row), row.object as Json, { allowDuplicates });
      return problems.length === 0 ? undefined : new TypeProblems(problems).message;
    };
    expect(sorted(message(false))).toBe(sorted(row.error as string | undefined));
    expect(sorted(message(true))).toBe(sorted(row.errorWithDuplicates as string | undefined));
  });

  it.each(rowsOf("reconcile"))("reconcile %s", (_, row) => {
    const set = FieldSet.fromFieldsV1(row.set);
    expect(reconcileWithSchema(typeOf(row), set).toString()).toBe(fields(row.fixed ?? row.set));
  });
});

/** Go visits the keys of maps in random order, so that the order of messages differs. */
function sorted(message: string | undefined): string | undefined {
  // The rows come from YAML, in which keys of maps can have any type.
  const json = message?.replaceAll("map[interface {}]", "map[string]");
  return json?.split("\n").sort().join("\n");
}
