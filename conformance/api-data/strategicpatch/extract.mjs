// Extracts the patches of strategicpatch's tests in apimachinery, with their results, as rows for our tests.
// Needs Go. Usage: node conformance/api-data/strategicpatch/extract.mjs
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const version = "v0.36.3";
const here = fileURLToPath(new URL(".", import.meta.url));
const target = fileURLToPath(new URL("../../../packages/apiserver/testdata/strategicpatch/", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "strategicpatch-"));
try {
  const module = JSON.parse(
    execFileSync("go", ["mod", "download", "-json", `k8s.io/apimachinery@${version}`], { cwd: work }),
  );
  cpSync(module.Dir, work, { recursive: true });
  makeWritable(work);
  const directory = join(work, "pkg/util/strategicpatch");
  const source = join(directory, "patch.go");
  const original = "return mergeMap(original, patch, schema, mergeOptions)\n}\n\n// MergeStrategicMergeMapPatchUsing";
  const text = readFileSync(source, "utf8");
  if (!text.includes(original)) throw new Error("the function that applies patches changed");
  writeFileSync(
    source,
    text.replace(
      original,
      `return dumpCall(original, patch, schema, func() (JSONMap, error) { return mergeMap(original, patch, schema, mergeOptions) })
}

var dumpCall = func(original, patch JSONMap, schema LookupPatchMeta, apply func() (JSONMap, error)) (JSONMap, error) { return apply() }

// MergeStrategicMergeMapPatchUsing`,
    ),
  );
  cpSync(join(here, "dump_test.go.txt"), join(directory, "dump_test.go"));
  const rows = join(work, "rows.jsonl");
  execFileSync("go", ["test", "-count=1", "./pkg/util/strategicpatch/"], {
    cwd: work,
    env: { ...process.env, GOFLAGS: "-mod=mod", ROWS: rows },
    stdio: "inherit",
  });
  const lines = readFileSync(rows, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const types = Object.assign({}, ...lines.map((line) => line.types));
  const unique = [...new Set(lines.map(({ row }) => JSON.stringify(row)))];
  writeFileSync(join(target, "types.json"), `${JSON.stringify(types, undefined, 1)}\n`);
  writeFileSync(join(target, "patches.jsonl"), `${unique.join("\n")}\n`);
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
