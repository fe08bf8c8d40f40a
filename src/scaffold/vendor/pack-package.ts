import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cachedPackage } from "./pack-cache.ts";
import { packageFiles, readManifest } from "./package-files.ts";
import { type TarEntry, tarball } from "./tar.ts";

/** A package for a project's `vendor/` directory. */
export interface PackedPackage {
  readonly name: string;
  /**
   * The package's version with a hash of its content, such as `0.1.0-local.h3f2a…`, so that other contents have another
   * version.
   */
  readonly version: string;
  /** `kubewright-0.1.0-local.h3f2a….tgz`. */
  readonly file: string;
  readonly bytes: Promise<Uint8Array>;
}

/** Keys of package.json that are only used for developing the package. */
const development = ["devDependencies", "scripts", "workspaces", "publishConfig"];

/**
 * Packs a built package, without npm or the network. Equal contents result in equal bytes. The file name is available before
 * the bytes.
 *
 * @param cache - a directory with packages of earlier runs, see {@link cachedPackage}
 */
export function packPackage(directory: string, cache: string): PackedPackage {
  const manifest = readManifest(directory);
  const executables = new Set(
    Object.values(typeof manifest.bin === "string" ? { bin: manifest.bin } : (manifest.bin ?? {})).map((path) =>
      path.replace(/^\.\//, ""),
    ),
  );
  const entries: TarEntry[] = packageFiles(directory, manifest).map((path) => ({
    path,
    content: readFileSync(join(directory, path)),
    executable: executables.has(path),
  }));
  // An installed tarball that is packed again keeps its version.
  const released = manifest.version.replace(/-local\.h[0-9a-f]+$/, "");
  const kept = Object.fromEntries(Object.entries(manifest).filter(([key]) => !development.includes(key)));
  const version = `${released}-local.h${contentHash(entries, { ...kept, version: released })}`;
  const text = `${JSON.stringify({ ...kept, version }, null, 2)}\n`;
  const file = `${manifest.name.replace(/^@/, "").replace("/", "-")}-${version}.tgz`;
  const all = [...entries, { path: "package.json", content: Buffer.from(text), executable: false }];
  return { name: manifest.name, version, file, bytes: cachedPackage(cache, file, () => tarball(all)) };
}

function contentHash(entries: readonly TarEntry[], manifest: object): string {
  const hash = createHash("sha256").update(JSON.stringify(manifest));
  for (const { path, content, executable } of entries) {
    hash.update(`\0${path}\0${content.length}\0${executable ? "x" : ""}\0`).update(content);
  }
  return hash.digest("hex").slice(0, 12);
}
