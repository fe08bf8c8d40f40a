import { hash } from "node:crypto";
import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Cache, cacheDirectory } from "../../../generate/cache/index.ts";
import { installedManifest } from "../../installed-manifest.ts";
import { packageRoot } from "../../version.ts";

/** The same as long as the process runs. */
let tool: string | undefined;

/** The cache of the project in a directory; undefined where there is no `node_modules` to keep it under. */
export function cacheFor(cwd: string, readOnly: boolean): Cache | undefined {
  const directory = cacheDirectory(cwd);
  if (directory === undefined) return undefined;
  tool ??= toolIdentity();
  return { directory, tool, readOnly };
}

/**
 * Which code is running: the name, size and times of each of its files and of what it doesn't bundle, so that a version
 * that was built anew or patched in place is another one. Reading them all would take longer than the run may.
 */
function toolIdentity(): string {
  const root = packageRoot();
  // `dist` where the bundle runs, `src` and the tables where the sources do.
  const bundled = !fileURLToPath(import.meta.url).endsWith(".ts");
  const trees = bundled ? ["dist"] : ["src", "data/core-types"];
  const files = [join(root, "package.json"), ...trees.flatMap((tree) => filesBelow(join(root, tree)))];
  const outside = ["oxc-parser", "ts-morph"].map((name) => installedManifest(root, name));
  const facts = [...files, ...outside].map((path) => {
    const stat: Stats | undefined = statSync(path, { throwIfNoEntry: false });
    return [path, stat?.size, stat?.mtimeMs, stat?.ctimeMs];
  });
  return hash("sha256", JSON.stringify([process.version, process.platform, process.arch, facts]));
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry: Dirent) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}
