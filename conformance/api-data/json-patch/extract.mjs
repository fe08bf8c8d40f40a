// Extracts the patches of json-patch's tests, with their results, as rows for our tests.
// Needs Go. Usage: node conformance/api-data/json-patch/extract.mjs
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const version = "v4.13.0"; // as in the go.mod of k8s.io/kubernetes v1.36.3
const here = fileURLToPath(new URL(".", import.meta.url));
const target = fileURLToPath(new URL("../../../packages/apiserver/testdata/json-patch/", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "json-patch-"));
try {
  const module = JSON.parse(
    execFileSync("go", ["mod", "download", "-json", `gopkg.in/evanphx/json-patch.v4@${version}`], { cwd: work }),
  );
  cpSync(module.Dir, work, { recursive: true });
  makeWritable(work);
  const replace = (name, from, to) => {
    const path = join(work, name);
    const text = readFileSync(path, "utf8");
    if (!text.includes(from)) throw new Error(`${name} changed`);
    writeFileSync(path, text.replace(from, to));
  };
  replace(
    "patch.go",
    'return p.ApplyIndent(doc, "")',
    'body, err := json.Marshal(p)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\treturn dumpApply("json", doc, body, func() ([]byte, error) { return p.ApplyIndent(doc, "") })',
  );
  replace(
    "merge.go",
    "return doMergePatch(docData, patchData, false)",
    'return dumpApply("merge", docData, patchData, func() ([]byte, error) { return doMergePatch(docData, patchData, false) })',
  );
  writeFileSync(
    join(work, "dump.go"),
    "package jsonpatch\n\nvar dumpApply = func(kind string, doc, patch []byte, apply func() ([]byte, error)) ([]byte, error) { return apply() }\n",
  );
  writeFileSync(join(work, "go.mod"), "module gopkg.in/evanphx/json-patch.v4\n\ngo 1.21\n");
  cpSync(join(here, "dump_test.go.txt"), join(work, "dump_test.go"));
  const rows = join(work, "rows.jsonl");
  execFileSync("go", ["test", "-count=1", "."], {
    cwd: work,
    env: { ...process.env, GOFLAGS: "-mod=mod", ROWS: rows },
    stdio: "inherit",
  });
  const unique = [...new Set(readFileSync(rows, "utf8").trim().split("\n"))];
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
