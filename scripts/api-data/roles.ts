// Writes the roles and bindings that every cluster has, as kube-apiserver creates them with its default features.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { kubernetesSources } from "./sources.ts";

interface StoredObject {
  apiVersion: string;
  kind: string;
  metadata: Record<string, unknown>;
  [key: string]: unknown;
}

const [release, out] = process.argv.slice(2);
if (release === undefined || out === undefined) throw new Error("usage: roles.ts RELEASE OUT");
const directory = join(kubernetesSources(release), "plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata");
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
writeFileSync(
  join(out, "rbac-bootstrap.json"),
  `[\n${objects.map((object) => JSON.stringify(object)).join(",\n")}\n]\n`,
);
