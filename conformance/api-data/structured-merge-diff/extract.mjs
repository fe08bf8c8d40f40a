// Extracts the tables of structured-merge-diff's tests, with what its functions return for them, as rows for our tests.
// Needs Go. Usage: node conformance/api-data/structured-merge-diff/extract.mjs
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const version = "v6.3.3"; // as in the go.mod of k8s.io/kubernetes v1.36.3
const here = fileURLToPath(new URL(".", import.meta.url));
const target = fileURLToPath(new URL("../../../packages/apiserver/testdata/structured-merge-diff/", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "structured-merge-diff-"));
try {
  const module = JSON.parse(
    execFileSync("go", ["mod", "download", "-json", `sigs.k8s.io/structured-merge-diff/v6@${version}`], { cwd: work }),
  );
  cpSync(module.Dir, work, { recursive: true });
  makeWritable(work);
  const source = (name) => readFileSync(join(here, name), "utf8");
  writeFileSync(join(work, "fieldpath/dump.go"), source("fieldpath-dump.go.txt"));
  writeFileSync(join(work, "internal/fixture/dump.go"), source("fixture-dump.go.txt"));
  writeFileSync(join(work, "typed/dump_test.go"), source("typed-dump_test.go.txt"));
  const state = join(work, "internal/fixture/state.go");
  writeFileSync(
    state,
    readFileSync(state, "utf8").replace("(tc TestCase) TestWithConverter(", "(tc TestCase) runWithConverter("),
  );
  // The order of versions is random in Go, and ours is sorted. It determines which conversions are recorded.
  const update = join(work, "merge/update.go");
  writeFileSync(
    update,
    readFileSync(update, "utf8")
      .replace(
        "for version, managed := range managedAtVersion {",
        "for _, version := range sortedVersions(managedAtVersion) {\n\t\tmanaged := managedAtVersion[version]",
      )
      .replace("import (\n", 'import (\n\t"maps"\n\t"slices"\n')
      .concat(
        "\nfunc sortedVersions(m map[fieldpath.APIVersion]*fieldpath.Set) []fieldpath.APIVersion {\n\treturn slices.Sorted(maps.Keys(m))\n}\n",
      ),
  );
  const test = (directory, rows, ...flags) =>
    execFileSync("go", ["test", "-count=1", ...flags, `./${directory}/`], {
      cwd: work,
      env: { ...process.env, GOFLAGS: "-mod=mod", ROWS: rows },
      stdio: "inherit",
    });
  const mergeRows = join(work, "merge.jsonl");
  const typedRows = join(work, "typed.json");
  test("merge", mergeRows);
  test("typed", typedRows, "-run=TestDump");
  const schemas = [];
  const schemaIndex = (schema) => {
    if (!schemas.includes(schema)) schemas.push(schema);
    return schemas.indexOf(schema);
  };
  const tables = JSON.parse(readFileSync(typedRows, "utf8"));
  const typed = Object.keys(tables)
    .sort()
    .flatMap((table) =>
      tables[table].map(({ schema, ...row }) => JSON.stringify({ table, ...row, schema: schemaIndex(schema) })),
    );
  // Tables are Go maps, whose order is random: rows of one table are sorted by their content.
  const counts = new Map();
  const merge = readFileSync(mergeRows, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map(({ name, ...row }) => ({ test: name.split(" ")[0], text: JSON.stringify(row), row }))
    .sort((a, b) => (a.test + a.text < b.test + b.text ? -1 : 1))
    .map(({ test, row: { schemas: own, ...row } }) => {
      counts.set(test, (counts.get(test) ?? 0) + 1);
      return JSON.stringify({ name: `${test} #${counts.get(test)}`, schemas: own.map(schemaIndex), ...row });
    });
  const write = (name, content) => writeFileSync(join(target, name), content);
  write("merge.jsonl", `${merge.join("\n")}\n`);
  write("typed.jsonl", `${typed.join("\n")}\n`);
  write("schemas.json", `${JSON.stringify(schemas)}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function makeWritable(path) {
  chmodSync(path, 0o755);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) makeWritable(join(path, entry.name));
    else chmodSync(join(path, entry.name), 0o644);
  }
}
