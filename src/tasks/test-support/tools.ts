import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Stand-ins for the tools of a project. */
export interface Tools {
  /** The calls of programs so far, such as `tsc --noEmit`. */
  calls(): string[];
  /** Adds a program that records its calls, and then runs a shell script. */
  program(name: string, script?: string): void;
  /** Replaces the code of the manager, which the stand-in of esbuild copies instead of bundling. */
  manager(code: string): void;
}

/** Installs stand-ins for biome, tsc, vitest, kubectl and esbuild in the node_modules of a directory. */
export function installTools(directory: string): Tools {
  const modules = join(directory, "node_modules");
  const record = join(directory, "calls");
  const put = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(modules, path)), { recursive: true });
    writeFileSync(join(modules, path), text, { mode });
  };
  const program = (name: string, script = "") =>
    put(`.bin/${name}`, `#!/bin/sh\necho ${name} "$@" >> '${record}'\n${script}\n`, 0o755);
  for (const name of ["biome", "tsc", "vitest"]) program(name);
  program("kubectl", `case "$*" in *json*) echo '{"kind":"List","items":[]}';; *kustomize*) echo 'kind: X';; esac`);
  put("esbuild/package.json", '{"main":"main.cjs"}');
  put(
    "esbuild/main.cjs",
    `const { copyFileSync } = require("node:fs");
const { join } = require("node:path");
exports.build = async ({ absWorkingDir: root, outfile }) => copyFileSync(join(__dirname, "manager.js"), join(root, outfile));`,
  );
  const manager = (code: string) => put("esbuild/manager.js", code);
  manager("");
  return {
    calls: () => (existsSync(record) ? readFileSync(record, "utf8").trim().split("\n") : []),
    program,
    manager,
  };
}
