// Extracts the roles and bindings that every cluster has, as kube-apiserver creates them with its default features.
// Needs Go. Usage: npx tsx conformance/api-data/rbac-bootstrap/extract.ts
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { downloadModule } from "../go-module.ts";

interface StoredObject {
  apiVersion: string;
  kind: string;
  metadata: Record<string, unknown>;
  [key: string]: unknown;
}

const target = fileURLToPath(new URL("../../../packages/apiserver/data/rbac-bootstrap.json", import.meta.url));
const module = downloadModule("k8s.io/kubernetes", "v1.36.3");
const directory = join(module, "plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata");
const files = [
  "cluster-roles",
  "cluster-role-bindings",
  "controller-roles",
  "controller-role-bindings",
  "namespace-roles",
  "namespace-role-bindings",
];

/** Drops what all objects have in common, and empty lists. */
function compact({ apiVersion: _apiVersion, kind, metadata, ...content }: StoredObject): object {
  const { creationTimestamp: _time, ...rest } = metadata;
  const present = Object.entries(content).filter(([, value]) => value !== null && value !== undefined);
  return { kind, metadata: rest, ...Object.fromEntries(present) };
}

const objects = files.flatMap((file) => {
  const { items } = load(readFileSync(join(directory, `${file}.yaml`), "utf8")) as { items: StoredObject[] };
  return items.map(compact);
});
writeFileSync(target, `[\n${objects.map((object) => JSON.stringify(object)).join(",\n")}\n]\n`);
console.log(`${objects.length} objects in ${target}`);
