import { hash } from "node:crypto";
import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Cache, cacheDirectory } from "../../generate/cache/index.ts";
import { packageRoot } from "../framework/version.ts";
import { installedManifest } from "../models/installed-manifest.ts";

/** The identity of the running code, computed once per process. */
let tool: string | undefined;

/** Returns the cache of the project in a directory; undefined without a `node_modules` to store it in. */
export function cacheFor(cwd: string, readOnly: boolean): Cache | undefined {
  const directory = cacheDirectory(cwd);
  if (directory === undefined) return undefined;
  tool ??= toolIdentity();
  return { directory, tool, readOnly };
}

/**
 * Identifies the running code by the name, size and times of its files and of ts-morph, which isn't bundled, so that a rebuild
 * or a patch in place invalidates the cache. Hashing the contents would take too long.
 */
function toolIdentity(): string {
  const facts = toolFiles().map((path) => {
    const stat: Stats | undefined = statSync(path, { throwIfNoEntry: false });
    return [path, stat?.size, stat?.mtimeMs, stat?.ctimeMs];
  });
  return hash("sha256", JSON.stringify([process.version, process.platform, process.arch, facts]));
}

/** Returns the paths of the running code, and of the manifest of ts-morph. */
export function toolFiles(): string[] {
  const root = packageRoot();
  // The bundle is in `dist`. In development, the sources and their tables run directly.
  const bundled = !fileURLToPath(import.meta.url).endsWith(".ts");
  const trees = bundled ? ["dist"] : ["src", "data/core-types"];
  const files = trees.flatMap((tree) => filesBelow(join(root, tree)));
  return [join(root, "package.json"), ...files, installedManifest(root, "ts-morph")];
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry: Dirent) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}
