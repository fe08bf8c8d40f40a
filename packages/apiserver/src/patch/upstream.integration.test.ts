import { readFileSync } from "node:fs";
import { decodeJson, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import type { Schema } from "@kubewright/cel/schema";
import { describe, expect, it } from "vitest";
import { applyJsonPatch } from "./json-patch.ts";
import { applyMergePatch } from "./merge-patch.ts";
import { applyStrategicPatch } from "./strategic-merge.ts";

function testdata(name: string): string {
  return readFileSync(new URL(`../../testdata/${name}`, import.meta.url), "utf8");
}

const rowsOf = <Row>(name: string): Row[] =>
  testdata(name)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);

interface Row {
  kind: "json" | "merge";
  document: string;
  patch: string;
  result?: string;
  error?: string;
}

/** Cases whose documents aren't objects, so they can't be objects of the API. */
function isApiObject(document: string): boolean {
  try {
    return isObject(decodeJson(document).value);
  } catch {
    return false;
  }
}

// json-patch's tests limit copies to 100 bytes.
const rows = rowsOf<Row>("json-patch/patches.jsonl").filter(
  ({ document, error }) => isApiObject(document) && !error?.endsWith("exceeding the limit 100"),
);
const named = (kind: Row["kind"]) =>
  rows.filter((row) => row.kind === kind).map((row, index) => [`${index}: ${row.patch.slice(0, 60)}`, row] as const);

describe("json patches agree with json-patch", () => {
  it.each(named("json"))("%s", (_, { document, patch, result }) => {
    const object = JSON.parse(document) as JsonObject;
    const before = JSON.stringify(object);
    if (result === undefined) expect(() => applyJsonPatch(object, patch, "Ignore")).toThrow();
    else expect(applyJsonPatch(object, patch, "Ignore").value).toEqual(JSON.parse(result));
    expect(JSON.stringify(object)).toBe(before);
  });
});

describe("merge patches agree with json-patch", () => {
  it.each(named("merge"))("%s", (_, { document, patch, result, error }) => {
    const object = JSON.parse(document) as JsonObject;
    const before = JSON.stringify(object);
    if (result === undefined) expect(() => applyMergePatch(object, patch, "Ignore")).toThrow(error);
    else expect(applyMergePatch(object, patch, "Ignore").value).toEqual(JSON.parse(result));
    expect(JSON.stringify(object)).toBe(before);
  });
});

interface StrategicRow {
  type: string;
  original: JsonObject | null;
  patch: JsonObject | null;
  result?: JsonObject;
  error?: string;
}

const models = JSON.parse(testdata("strategicpatch/types.json")) as Record<string, Schema>;

/** Replaces references to models by the models. */
function resolve(schema: Schema & { $ref?: string }): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    (schema.properties as Record<string, Schema>)[name] = resolved(property);
  }
  if (schema.items) schema.items = resolved(schema.items);
}

function resolved(schema: Schema & { $ref?: string }): Schema {
  const { $ref, ...own } = schema;
  if ($ref === undefined) {
    resolve(schema);
    return schema;
  }
  // A getter delays the copy until the model is complete.
  return Object.create(models[$ref] as Schema, Object.getOwnPropertyDescriptors(own)) as Schema;
}

for (const model of Object.values(models)) {
  resolve(model);
  // The tests store lists in this field, whose Go type is a pointer to an item.
  const item = model.properties?.mergeItemPtr;
  if (item !== undefined && model.properties) {
    model.properties.mergeItemPtr = {
      type: "array",
      items: item,
      "x-kubernetes-patch-strategy": "merge",
      "x-kubernetes-patch-merge-key": "name",
    };
  }
}

describe("strategic merge patches agree with apimachinery", () => {
  const strategic = rowsOf<StrategicRow>("strategicpatch/patches.jsonl");
  it.each(strategic.map((row, index) => [`${index}: ${JSON.stringify(row.patch).slice(0, 70)}`, row] as const))(
    "%s",
    (_, { type, original, patch, result, error }) => {
      const object = original ?? {};
      const before = JSON.stringify(object);
      const apply = (): Json =>
        applyStrategicPatch(object, JSON.stringify(patch), models[type] as Schema, "Ignore").value;
      if (result === undefined) expect(apply).toThrow(error);
      else expect(apply()).toEqual(result);
      expect(JSON.stringify(object)).toBe(before);
    },
  );
});
