import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// The launcher's fast path imports this file alone: it must load nothing but Node's own modules.

/** The directory of the running kubewright package: the nearest one above this file with its package.json. */
export function packageRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    if (existsSync(join(directory, "package.json")) && existsSync(join(directory, "bin"))) return directory;
    const parent = dirname(directory);
    if (parent === directory) return dirname(dirname(dirname(fileURLToPath(import.meta.url))));
    directory = parent;
  }
}

/** What the running package says of itself. */
export function ownManifest(): { readonly name: string; readonly version: string; readonly homepage: string } {
  return JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8"));
}

/**
 * The version of the running CLI, such as `0.1.0`. The hash that a tarball in `vendor/` carries is left out: this one goes
 * into generated files, which must not change with every build.
 */
export function cliVersion(): string {
  return withoutHash(ownManifest().version);
}

/** A version without what a tarball in `vendor/` adds to it. */
export function withoutHash(version: string): string {
  return version.replace(/-local\.h[0-9a-f]+$/, "");
}

/** What `scaffold version` prints. */
export function versionText(): string {
  return `kubewright ${ownManifest().version} (node ${process.versions.node}, ${process.platform}/${process.arch})`;
}
