import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { readJson } from "../../yaml/json.ts";

/** The part of a package.json that commands read. */
export interface PackageManifest {
  readonly version?: string;
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Reads a package.json; undefined if it is missing or invalid. */
export function readManifest(path: string): PackageManifest | undefined {
  try {
    // Reading a named pipe would block.
    if (!statSync(path).isFile()) return undefined;
    return readJson(readFileSync(path, "utf8")) as PackageManifest;
  } catch {
    return undefined;
  }
}

/**
 * Returns the path of a dependency's package.json by Node's resolution rules. The file may not exist.
 *
 * @param from the directory of the dependent package
 */
export function installedManifest(from: string, name: string): string {
  for (let directory = from; ; directory = dirname(directory)) {
    const manifest = join(directory, "node_modules", name, "package.json");
    if (statSync(manifest, { throwIfNoEntry: false }) || directory === dirname(directory)) return manifest;
  }
}
