// Extracts the roles and bindings that every cluster has, as kube-apiserver creates them with its default features.
// Needs Go. Usage: node conformance/api-data/rbac-bootstrap/extract.mjs
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";

const version = "v1.36.3";
const target = fileURLToPath(new URL("../../../packages/apiserver/data/rbac-bootstrap.json", import.meta.url));
const module = JSON.parse(
  execFileSync("go", ["mod", "download", "-json", `k8s.io/kubernetes@${version}`], { cwd: tmpdir() }),
);
const directory = join(module.Dir, "plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata");
const files = [
  "cluster-roles",
  "cluster-role-bindings",
  "controller-roles",
  "controller-role-bindings",
  "namespace-roles",
  "namespace-role-bindings",
];

/** Drops what all objects have in common, and empty lists. */
function compact({ apiVersion: _apiVersion, kind, metadata, ...content }) {
  const { creationTimestamp: _time, ...rest } = metadata;
  const present = Object.entries(content).filter(([, value]) => value !== null && value !== undefined);
  return { kind, metadata: rest, ...Object.fromEntries(present) };
}

const objects = files.flatMap((file) => load(readFileSync(join(directory, `${file}.yaml`), "utf8")).items.map(compact));
writeFileSync(target, `[\n${objects.map((object) => JSON.stringify(object)).join(",\n")}\n]\n`);
console.log(`${objects.length} objects in ${target}`);
