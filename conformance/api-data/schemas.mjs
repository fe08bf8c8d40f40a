// Extracts the data of Kubernetes' own suites for schemas into packages/{apiserver,cel}/testdata. The modules must be in Go's module cache:
// `go mod download k8s.io/apiextensions-apiserver@v0.36.3 k8s.io/kube-openapi@v0.0.0-20260317180543-43fb72c5454a`.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadAll } from "js-yaml";

const cache = execFileSync("go", ["env", "GOMODCACHE"], { encoding: "utf8" }).trim();
const extensions = join(cache, "k8s.io/apiextensions-apiserver@v0.36.3");
const openapi = join(cache, "k8s.io/kube-openapi@v0.0.0-20260317180543-43fb72c5454a");
const packages = fileURLToPath(new URL("../../packages/", import.meta.url));

function filesIn(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function write(path, value) {
  const file = join(packages, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value)}\n`);
}

/** Removes descriptions, which no rule reads. Properties may have that name. */
function withoutDescriptions(schema) {
  if (Array.isArray(schema)) return schema.map(withoutDescriptions);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key, value]) => key !== "description" || typeof value !== "string");
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutDescriptions(value)]));
}

const cases = join(extensions, "test/integration/ratcheting_test_cases");
for (const folder of ["crds", "valid", "invalid"]) {
  const objects = filesIn(join(cases, folder)).flatMap((file) =>
    loadAll(readFileSync(file, "utf8"))
      .filter((object) => object !== null && object !== undefined)
      .map((object) => (folder === "crds" ? withoutDescriptions(object) : object)),
  );
  write(`apiserver/testdata/ratcheting/${folder}.json`, objects);
}

const suite = join(openapi, "pkg/validation/validate/fixtures/jsonschema_suite");
for (const name of readdirSync(suite).filter((file) => file.endsWith(".json"))) {
  write(`cel/testdata/json-schema-suite/${name}`, JSON.parse(readFileSync(join(suite, name), "utf8")));
}
