import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// `version` loads only this file, so it must not load anything except Node's own modules.

/** Returns the directory of the running kubewright package: the nearest parent directory with its package.json. */
export function packageRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    if (existsSync(join(directory, "package.json")) && existsSync(join(directory, "bin"))) return directory;
    const parent = dirname(directory);
    if (parent === directory) return dirname(dirname(dirname(fileURLToPath(import.meta.url))));
    directory = parent;
  }
}

/** Reads the package.json of the running package. */
export function ownManifest(): { readonly name: string; readonly version: string; readonly homepage: string } {
  return JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8"));
}

/**
 * Returns the version of the running CLI, such as `0.1.0`, without the hash of a tarball in `vendor/`. It is written to generated
 * files, which must not change with every build.
 */
export function cliVersion(): string {
  return withoutHash(ownManifest().version);
}

/** Removes the hash that a tarball in `vendor/` adds to its version. */
export function withoutHash(version: string): string {
  return version.replace(/-local\.h[0-9a-f]+$/, "");
}

/** Returns the output of `scaffold version`. */
export function versionText(): string {
  return `kubewright ${ownManifest().version} (node ${process.versions.node}, ${process.platform}/${process.arch})`;
}
