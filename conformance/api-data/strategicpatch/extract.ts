// Extracts the patches of strategicpatch's tests in apimachinery, with their results, as rows for our tests.
// Needs Go. Usage: npx tsx conformance/api-data/strategicpatch/extract.ts
import { readFileSync, writeFileSync } from "node:fs";
import { ModuleCopy } from "../go-module.ts";

const target = new URL("../../../packages/apiserver/testdata/strategicpatch/", import.meta.url);
const folder = "pkg/util/strategicpatch";
const module = new ModuleCopy("k8s.io/apimachinery", "v0.36.3");
try {
  module.replace(
    `${folder}/patch.go`,
    "return mergeMap(original, patch, schema, mergeOptions)\n}\n\n// MergeStrategicMergeMapPatchUsing",
    `return dumpCall(original, patch, schema, func() (JSONMap, error) { return mergeMap(original, patch, schema, mergeOptions) })
}

var dumpCall = func(original, patch JSONMap, schema LookupPatchMeta, apply func() (JSONMap, error)) (JSONMap, error) { return apply() }

// MergeStrategicMergeMapPatchUsing`,
  );
  module.write(`${folder}/dump_test.go`, readFileSync(new URL("dump_test.go.txt", import.meta.url), "utf8"));
  const lines = module.test(`./${folder}/`, "rows.jsonl").trim().split("\n");
  const calls = lines.map((line): { types: Record<string, unknown>; row: unknown } => JSON.parse(line));
  const types = Object.assign({}, ...calls.map((call) => call.types));
  const rows = new Set(calls.map(({ row }) => JSON.stringify(row)));
  writeFileSync(new URL("types.json", target), `${JSON.stringify(types, undefined, 1)}\n`);
  writeFileSync(new URL("patches.jsonl", target), `${[...rows].join("\n")}\n`);
} finally {
  module.remove();
}
