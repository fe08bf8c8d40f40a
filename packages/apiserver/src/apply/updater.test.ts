import type { Json, JsonObject } from "@kubewright/cel/json";
import { describe, expect, it } from "vitest";
import { ConflictError } from "./conflicts.ts";
import type { OwnedFields } from "./managed-fields.ts";
import { readRows, smdFilter, smdType } from "./structured-merge-diff.fixture.ts";
import { FieldSet } from "./typed/field-set.ts";
import { merge } from "./typed/merge.ts";
import { pathText } from "./typed/path-element.ts";
import { extractItems } from "./typed/remove-items.ts";
import { validateType } from "./typed/validate.ts";
import type { ValueType } from "./typed/value-type.ts";
import { applyConfiguration, type TypedValue, updateOwners, type Versions } from "./updater.ts";

interface TypeRow {
  schema: number;
  type: string;
}

interface Step {
  op: "apply" | "force" | "extract" | "update" | "schema";
  manager: string;
  apiVersion: string;
  object: Json;
  invalid?: boolean;
  type: TypeRow;
  conflicts?: string[];
  error?: string;
  live: Json;
  managers?: Record<string, { apiVersion: string; applied: boolean; fields: Json }>;
}

interface Conversion {
  object: Json;
  apiVersion: string;
  result?: Json;
  type?: TypeRow;
  missing?: boolean;
  error?: string;
}

interface Row {
  name: string;
  schemas: number[];
  filters?: Record<string, JsonObject>;
  steps: Step[];
  conversions?: Conversion[];
}

const canonical = (value: Json): string =>
  JSON.stringify(value, (_, part: Json) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/** The conversions of a row that the functions in Go requested, with their results. */
function versionsOf(row: Row, typeOf: (type: TypeRow) => ValueType): Versions {
  const conversions = new Map(
    row.conversions?.map((entry) => [`${entry.apiVersion} ${canonical(entry.object)}`, entry]),
  );
  return {
    convert(typed, apiVersion) {
      if (row.conversions === undefined) return typed;
      const conversion = conversions.get(`${apiVersion} ${canonical(typed.value)}`);
      if (conversion === undefined)
        throw new Error(`unexpected conversion to ${apiVersion}: ${canonical(typed.value)}`);
      if (conversion.missing) return undefined;
      if (conversion.error !== undefined) throw new Error(conversion.error);
      return { value: conversion.result as Json, type: typeOf(conversion.type as TypeRow), apiVersion };
    },
    resetFields: (apiVersion) => (row.filters?.[apiVersion] ? smdFilter(row.filters[apiVersion]) : undefined),
  };
}

describe("the updater agrees with structured-merge-diff", () => {
  it.each(readRows<Row>("merge.jsonl").map((row) => [row.name, row] as const))("%s", (_, row) => {
    const typeOf = ({ schema, type }: TypeRow) => smdType(row.schemas[schema] as number, type);
    const versions = versionsOf(row, typeOf);
    let live: TypedValue | undefined;
    let owners = new Map<string, OwnedFields>();
    for (const step of row.steps) {
      const type = typeOf(step.type);
      if (step.op === "schema") {
        live = { ...(live as TypedValue), type };
        expect(validateType(type, live.value).length > 0).toBe(step.error !== undefined);
        continue;
      }
      expect(validateType(type, step.object, { allowDuplicates: step.op === "update" }).length > 0).toBe(
        step.invalid === true,
      );
      if (step.invalid) continue;
      const { apiVersion, manager } = step;
      live = versions.convert(live ?? { value: null, type, apiVersion }, apiVersion) as TypedValue;
      let config: TypedValue = { value: step.object, type, apiVersion };
      let conflicts: string[] | undefined;
      let error: string | undefined;
      try {
        if (step.op === "update") {
          owners = updateOwners(versions, live, config, owners, manager);
          live = config;
        } else {
          const own = owners.get(manager);
          if (step.op === "extract" && live.value !== null) {
            const set = own?.set.leaves() ?? new FieldSet();
            config = { ...config, value: merge(type, extractItems(type, live.value, set), config.value) };
          }
          const result = applyConfiguration(versions, live, config, owners, manager, step.op !== "apply");
          owners = result.owners;
          live = result.merged ?? live;
        }
      } catch (thrown) {
        if (thrown instanceof ConflictError) {
          conflicts = thrown.conflicts.map(({ manager: name, path }) => `${name}: ${pathText(path)}`);
        } else error = (thrown as Error).message;
      }
      expect(error).toBe(step.error);
      expect(conflicts?.sort()).toEqual(step.conflicts?.sort());
      if (error !== undefined) return;
      expect(live.value).toEqual(step.live);
      const actual = [...owners].map(([name, { set, apiVersion, applied }]) => [
        name,
        { apiVersion, applied, fields: set.toFieldsV1() },
      ]);
      expect(Object.fromEntries(actual)).toEqual(step.managers ?? {});
    }
  });
});

it("names the step in which a conversion fails, in the words of structured-merge-diff", () => {
  const isPlain = ({ op, error, conflicts, invalid }: Step) => op === "apply" && !(error || conflicts || invalid);
  const row = readRows<Row>("merge.jsonl").find(
    ({ conversions, steps: [first, second] }) =>
      conversions === undefined &&
      first &&
      second &&
      isPlain(first) &&
      isPlain(second) &&
      first.manager === second.manager,
  ) as Row;
  const [first, second] = row.steps.map(({ object, apiVersion, type }) => ({
    value: object,
    type: smdType(row.schemas[type.schema] as number, type.type),
    apiVersion,
  })) as [TypedValue, TypedValue];
  /** Returns the error of the second configuration, if a conversion fails. */
  const errorOf = (failing: number): string | undefined => {
    let calls = Number.NEGATIVE_INFINITY;
    const versions: Versions = {
      convert(typed) {
        if (calls++ === failing) throw new Error("no such field");
        return typed;
      },
      resetFields: () => undefined,
    };
    const manager = "a";
    const { merged, owners } = applyConfiguration(
      versions,
      { ...first, value: null },
      first,
      new Map(),
      manager,
      false,
    );
    calls = 0;
    try {
      applyConfiguration(versions, merged as TypedValue, second, owners, manager, false);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const errors = Array.from({ length: 6 }, (_, index) => errorOf(index));
  const owned = "failed to prune fields: failed add back owned items";
  expect(errors).toEqual([
    "no such field",
    "failed to prune fields: failed to convert merged object to last applied version: no such field",
    `${owned}: failed to convert merged object at version ${second.apiVersion}: no such field`,
    `${owned}: failed to convert pruned object at version ${second.apiVersion}: no such field`,
    "failed to prune fields: failed add back dangling items: failed to convert pruned object to last applied version: no such field",
    "failed to prune fields: no such field",
  ]);
});
