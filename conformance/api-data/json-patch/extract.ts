// Extracts the patches of json-patch's tests, with their results, as rows for our tests.
// Needs Go. Usage: npx tsx conformance/api-data/json-patch/extract.ts
import { readFileSync, writeFileSync } from "node:fs";
import { ModuleCopy } from "../go-module.ts";

const target = new URL("../../../packages/apiserver/testdata/json-patch/patches.jsonl", import.meta.url);
// The version in the go.mod of k8s.io/kubernetes v1.36.3.
const module = new ModuleCopy("gopkg.in/evanphx/json-patch.v4", "v4.13.0");
try {
  module.replace(
    "patch.go",
    'return p.ApplyIndent(doc, "")',
    'body, err := json.Marshal(p)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\treturn dumpApply("json", doc, body, func() ([]byte, error) { return p.ApplyIndent(doc, "") })',
  );
  module.replace(
    "merge.go",
    "return doMergePatch(docData, patchData, false)",
    'return dumpApply("merge", docData, patchData, func() ([]byte, error) { return doMergePatch(docData, patchData, false) })',
  );
  module.write(
    "dump.go",
    "package jsonpatch\n\nvar dumpApply = func(kind string, doc, patch []byte, apply func() ([]byte, error)) ([]byte, error) { return apply() }\n",
  );
  module.write("go.mod", "module gopkg.in/evanphx/json-patch.v4\n\ngo 1.21\n");
  module.write("dump_test.go", readFileSync(new URL("dump_test.go.txt", import.meta.url), "utf8"));
  const rows = new Set(module.test(".", "rows.jsonl").trim().split("\n"));
  writeFileSync(target, `${[...rows].join("\n")}\n`);
} finally {
  module.remove();
}
