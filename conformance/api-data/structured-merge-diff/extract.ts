// Extracts the tables of structured-merge-diff's tests, with what its functions return for them, as rows for our tests.
// Needs Go. Usage: npx tsx conformance/api-data/structured-merge-diff/extract.ts
import { readFileSync, writeFileSync } from "node:fs";
import { ModuleCopy } from "../go-module.ts";

interface TypedRow {
  schema: string;
  [key: string]: unknown;
}

interface MergeRow {
  name: string;
  schemas: string[];
  [key: string]: unknown;
}

const target = new URL("../../../packages/apiserver/testdata/structured-merge-diff/", import.meta.url);
const source = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
const write = (name: string, lines: readonly string[]): void =>
  writeFileSync(new URL(name, target), `${lines.join("\n")}\n`);

/** The schemas of all rows. The rows contain their positions. */
const schemas: string[] = [];
function schemaIndex(schema: string): number {
  if (!schemas.includes(schema)) schemas.push(schema);
  return schemas.indexOf(schema);
}

/** Lets the tests write their rows. */
function prepare(module: ModuleCopy): void {
  module.write("fieldpath/dump.go", source("fieldpath-dump.go.txt"));
  module.write("internal/fixture/dump.go", source("fixture-dump.go.txt"));
  module.write("typed/dump_test.go", source("typed-dump_test.go.txt"));
  const state = "internal/fixture/state.go";
  module.replace(state, "(tc TestCase) TestWithConverter(", "(tc TestCase) runWithConverter(");
  // The order of versions is random in Go, and ours is sorted. It determines which conversions are recorded.
  const update = "merge/update.go";
  module.replace(
    update,
    "for version, managed := range managedAtVersion {",
    "for _, version := range sortedVersions(managedAtVersion) {\n\t\tmanaged := managedAtVersion[version]",
  );
  module.replace(update, "import (\n", 'import (\n\t"maps"\n\t"slices"\n');
  const sortedVersions =
    "\nfunc sortedVersions(m map[fieldpath.APIVersion]*fieldpath.Set) []fieldpath.APIVersion {\n\treturn slices.Sorted(maps.Keys(m))\n}\n";
  module.write(update, `${module.read(update)}${sortedVersions}`);
}

function typedRows(text: string): string[] {
  const tables: Record<string, TypedRow[]> = JSON.parse(text);
  const names = Object.keys(tables).sort();
  return names.flatMap((table) =>
    (tables[table] ?? []).map(({ schema, ...row }) => JSON.stringify({ table, ...row, schema: schemaIndex(schema) })),
  );
}

/** Tables are Go maps, whose order is random: rows of one table are sorted by their content. */
function mergeRows(text: string): string[] {
  const rows = text
    .trim()
    .split("\n")
    .map((line): MergeRow => JSON.parse(line))
    .map(({ name, ...row }) => ({ test: name.split(" ")[0] ?? "", text: JSON.stringify(row), row }))
    .sort((one, other) => (one.test + one.text < other.test + other.text ? -1 : 1));
  const counts = new Map<string, number>();
  return rows.map(({ test, row: { schemas: own, ...row } }) => {
    counts.set(test, (counts.get(test) ?? 0) + 1);
    return JSON.stringify({ name: `${test} #${counts.get(test)}`, schemas: own.map(schemaIndex), ...row });
  });
}

// The version in the go.mod of k8s.io/kubernetes v1.36.3.
const module = new ModuleCopy("sigs.k8s.io/structured-merge-diff/v6", "v6.3.3");
try {
  prepare(module);
  const merge = module.test("./merge/", "merge.jsonl");
  const typed = module.test("./typed/", "typed.json", "-run=TestDump");
  // In this order, which determines the positions of the schemas.
  const typedLines = typedRows(typed);
  write("merge.jsonl", mergeRows(merge));
  write("typed.jsonl", typedLines);
  write("schemas.json", [JSON.stringify(schemas)]);
} finally {
  module.remove();
}
