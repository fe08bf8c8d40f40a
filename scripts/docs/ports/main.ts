// Writes names.json: the names of controller-runtime that the Go projects below a directory use.
//
//   export CONTROLLER_RUNTIME_DIR=$(go mod download -json sigs.k8s.io/controller-runtime@v0.25.2 | jq -r .Dir)
//   PROJECTS_DIR=~/projects npx tsx scripts/docs/ports/main.ts
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { exportedNames, usedNames } from "./go-names.ts";
import type { UsedNames } from "./names.ts";

const { PROJECTS_DIR: projectsDirectory, CONTROLLER_RUNTIME_DIR: moduleDirectory } = process.env;
if (!projectsDirectory || !moduleDirectory) {
  console.error("set PROJECTS_DIR to a directory with Go projects, and CONTROLLER_RUNTIME_DIR to the module's sources");
  process.exit(1);
}

/** Returns the Go files below a directory, with `/`. */
function goFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll(sep, "/"))
    .filter((path) => path.endsWith(".go") && !/(^|\/)(vendor|node_modules|\.git)\//.test(path));
}

const exported = new Map<string, Set<string>>();
for (const file of goFiles(moduleDirectory)) {
  if (/_test\.go$|(^|\/)(internal|testdata|examples|tools|hack)\//.test(file)) continue;
  const path = posix.dirname(file);
  const names = exported.get(path) ?? new Set();
  for (const name of exportedNames(readFileSync(join(moduleDirectory, file), "utf8"))) names.add(name);
  exported.set(path, names);
}

const users = new Map<string, Map<string, Set<string>>>();
for (const project of readdirSync(projectsDirectory).sort()) {
  for (const file of goFiles(join(projectsDirectory, project))) {
    for (const { path, name } of usedNames(readFileSync(join(projectsDirectory, project, file), "utf8"))) {
      if (!exported.get(path)?.has(name)) continue;
      const names = users.get(path) ?? new Map<string, Set<string>>();
      names.set(name, (names.get(name) ?? new Set()).add(project));
      users.set(path, names);
    }
  }
}

const sorted = <T>(map: Map<string, T>): [string, T][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
const all = new Set([...users.values()].flatMap((names) => [...names.values()].flatMap((projects) => [...projects])));
const used: UsedNames = {
  version: /@(v[\w.-]+)/.exec(moduleDirectory)?.[1] ?? "unknown",
  projects: all.size,
  packages: Object.fromEntries(
    sorted(users).map(([path, names]) => [
      path,
      Object.fromEntries(sorted(names).map(([name, projects]) => [name, projects.size])),
    ]),
  ),
};
writeFileSync(join(import.meta.dirname, "names.json"), `${JSON.stringify(used, undefined, 2)}\n`);
const count = Object.values(used.packages).reduce((sum, names) => sum + Object.keys(names).length, 0);
console.log(`${count} names of ${Object.keys(used.packages).length} packages, used by ${all.size} projects`);
