// Extracts the data of Kubernetes' own suites for schemas into packages/{apiserver,cel}/testdata.
// Needs Go. Usage: npx tsx conformance/api-data/schemas.ts
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadAll } from "js-yaml";
import { downloadModule } from "./go-module.ts";

const extensions = downloadModule("k8s.io/apiextensions-apiserver", "v0.36.3");
const openapi = downloadModule("k8s.io/kube-openapi", "v0.0.0-20260317180543-43fb72c5454a");
const packages = fileURLToPath(new URL("../../packages/", import.meta.url));

function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function write(path: string, value: unknown): void {
  const file = join(packages, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value)}\n`);
}

/** Removes descriptions, which no rule reads. Properties may have that name. */
function withoutDescriptions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutDescriptions);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key, value]) => key !== "description" || typeof value !== "string");
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutDescriptions(value)]));
}

const cases = join(extensions, "test/integration/ratcheting_test_cases");
for (const folder of ["crds", "valid", "invalid"]) {
  const documents = filesIn(join(cases, folder)).flatMap((file) => loadAll(readFileSync(file, "utf8")));
  const objects = documents.filter((object) => object !== null && object !== undefined);
  write(`apiserver/testdata/ratcheting/${folder}.json`, folder === "crds" ? objects.map(withoutDescriptions) : objects);
}

const suite = join(openapi, "pkg/validation/validate/fixtures/jsonschema_suite");
for (const name of readdirSync(suite).filter((file) => file.endsWith(".json"))) {
  write(`cel/testdata/json-schema-suite/${name}`, JSON.parse(readFileSync(join(suite, name), "utf8")));
}
