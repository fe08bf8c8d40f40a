import { readFileSync, statSync } from "node:fs";
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
