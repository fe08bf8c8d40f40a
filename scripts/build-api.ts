// Generates packages/runtime/src/api/<group>/<version>.ts from data/core-types. Writes changed files and removes obsolete ones.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { moduleOf, readPackages } from "./lib/api/data.ts";
import { moduleText } from "./lib/api/module.ts";

const root = join(import.meta.dirname, "..");
const api = join(root, "packages/runtime/src/api");
const version = /"(v[\d.]+)"/.exec(readFileSync(join(api, "kubernetes-version.ts"), "utf8"))?.[1];
if (version === undefined) throw new Error("packages/runtime/src/api/kubernetes-version.ts has no version");

const packages = readPackages(join(root, "data/core-types", version));
const files = new Map<string, string>();
for (const goPackage of packages.keys()) {
  const module = moduleOf(goPackage);
  if (module !== undefined) files.set(join(api, `${module}.ts`), moduleText(goPackage, packages));
}

for (const group of readdirSync(api, { withFileTypes: true })) {
  if (!group.isDirectory()) continue;
  for (const file of readdirSync(join(api, group.name))) {
    if (!files.has(join(api, group.name, file))) rmSync(join(api, group.name, file), { recursive: true });
  }
  if (readdirSync(join(api, group.name)).length === 0) rmSync(join(api, group.name), { recursive: true });
}

let written = 0;
for (const [path, text] of files) {
  if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  written++;
}
if (written > 0)
  console.log(`${written} of ${files.size} modules of Kubernetes ${version} written to packages/runtime/src/api`);
