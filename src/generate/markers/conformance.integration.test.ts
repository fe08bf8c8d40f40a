import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { collectMarkers } from "./collector.ts";
import { markerRegistry } from "./markers.ts";
import type { MarkerTarget } from "./model/definition.ts";
import type { MarkerValue } from "./model/marker-value.ts";
import { optionRegistry } from "./options.ts";
import { parseMarker } from "./parse.ts";

interface Row {
  tag: string;
  target: MarkerTarget;
  marker: string;
  name?: string;
  value?: MarkerValue;
  errors?: string[];
  ignored?: true;
  knownFor?: MarkerTarget[];
}

const directory = new URL("../../../testdata/conformance/", import.meta.url);
const rows = readFileSync(new URL("grammar.jsonl", directory), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as Row);

/** Converts values for the comparison with the rows: JSON can't contain bigints, NaN and infinities. */
function comparable(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "number" && Number.isNaN(value)) return { $float: "NaN" };
  if (value === Number.POSITIVE_INFINITY) return { $float: "+Inf" };
  if (value === Number.NEGATIVE_INFINITY) return { $float: "-Inf" };
  if (Array.isArray(value)) return value.map(comparable);
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, comparable(part)]));
  }
  return value;
}

const text = (row: Row) => row.marker.trim().replace(/^\+?/, row.target === "option" ? "+" : "$&");

const registryOf = (target: MarkerTarget) => (target === "option" ? optionRegistry : markerRegistry);

describe.each([...new Set(rows.map((row) => row.tag))])("grammar: %s", (tag) => {
  const ofTag = rows.filter((row) => row.tag === tag);

  test.each(ofTag.filter((row) => !row.ignored))("$target $marker", (row) => {
    const definition = registryOf(row.target).lookup(text(row), row.target);
    expect(definition?.name).toBe(row.name);
    const parsed = parseMarker(definition!, text(row));
    if (row.errors) expect(parsed.error, "must be rejected").toBeDefined();
    else {
      expect(parsed.error).toBeUndefined();
      expect(comparable(parsed.value)).toEqual(row.value);
    }
  });

  test.each(ofTag.filter((row) => row.ignored))("$target $marker isn't a marker there", (row) => {
    expect(registryOf(row.target).lookup(text(row), row.target)).toBeUndefined();
    if (row.target === "option") return;
    const line = { text: row.marker, file: "/a.ts", line: 3, column: 4 };
    expect(collectMarkers([line], row.target, markerRegistry, () => {}).all).toEqual([]);
  });
});

test("the registries contain exactly the markers and options of the reference", () => {
  const file = readFileSync(new URL("registry.json", directory), "utf8");
  const { markers, options } = JSON.parse(file) as { markers: RegistryRow[]; options: RegistryRow[] };
  const expected = [...markers, ...options].map((row) => ({
    name: row.name,
    target: row.target,
    form: row.form,
    deprecated: row.deprecated ?? false,
    replacedBy: row.replacedBy,
    fields: fieldTable(row.fields.map((field) => ({ ...field, name: row.name === "default" ? "" : field.name }))),
    ...(row.target === "option" ? {} : { category: row.category ?? "" }),
  }));
  const all = [...markerRegistry.definitions, ...optionRegistry.definitions];
  const actual = all
    .filter(({ extension }) => !extension)
    .map((definition) => ({
      name: definition.name,
      target: definition.target,
      form: definition.form,
      deprecated: definition.deprecated,
      replacedBy: definition.replacedBy,
      fields: fieldTable(
        definition.fields
          .filter(({ extension }) => !extension)
          .map((field) => ({ ...field, type: typeName(field.type) })),
      ),
      ...(definition.target === "option" ? {} : { category: definition.category }),
    }));
  const sorted = (all: { name: string; target: string }[]) =>
    all.toSorted((a, b) => `${a.target} ${a.name}`.localeCompare(`${b.target} ${b.name}`));
  expect(sorted(actual)).toEqual(sorted(expected));
});

interface RegistryRow {
  name: string;
  target: MarkerTarget;
  form: string;
  category?: string;
  deprecated?: boolean;
  replacedBy?: string;
  fields: { name: string; type: string; optional: boolean }[];
}

function typeName(type: { kind: string; item?: { kind: string } }): string {
  return type.kind === "slice" ? `[]${type.item!.kind}` : type.kind;
}

function fieldTable(fields: { name: string; type: string; optional: boolean }[]) {
  return Object.fromEntries(fields.map((field) => [field.name, `${field.type}${field.optional ? "?" : ""}`]));
}

test("every marker and every argument has a one-line help text", () => {
  for (const definition of markerRegistry.definitions) {
    for (const { summary } of [definition, ...definition.fields])
      expect(summary, definition.name).toMatch(/^\S.*[.?]$/);
  }
});
