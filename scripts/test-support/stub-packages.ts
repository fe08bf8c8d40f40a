import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Puts packages into a project that do nothing, except that the bundle of the manager is the given code. On Windows the programs
 * can't be run.
 */
export function stubPackages(root: string, manager: string): void {
  const put = (path: string, text: string, mode = 0o644) => {
    const file = join(root, "node_modules", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
  };
  for (const name of ["biome", "prettier", "tsc", "vitest"])
    put(`.bin/${name}`, `#!/bin/sh\necho ${name} "$@" >> calls\n`, 0o755);
  put(
    "esbuild/index.js",
    `exports.build = async ({ absWorkingDir, outfile }) =>
      require("node:fs").writeFileSync(require("node:path").join(absWorkingDir, outfile), ${JSON.stringify(manager)});`,
  );
  put("kubewright/package.json", JSON.stringify({ version: "0.1.0", exports: { "./sbom": "./sbom.js" } }));
  put("kubewright/sbom.js", "exports.billOfMaterials = () => ({});");
}
