import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "../files/files-below.ts";

/** The part of a package.json that packing reads. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly files?: readonly string[];
  readonly bin?: Readonly<Record<string, string>> | string;
  readonly [key: string]: unknown;
}

export function readManifest(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as Manifest;
}

/**
 * Returns the files that `npm pack` includes for packages whose `files` has no patterns: those files and directories,
 * licenses and readme files. The paths are sorted and relative, with `/`; package.json isn't included.
 */
export function packageFiles(directory: string, manifest: Manifest): string[] {
  const always = readdirSync(directory).filter((name) => /^(readme|licen[cs]e|notice)(\..*)?$/i.test(name));
  const files = new Set<string>();
  for (const name of [...(manifest.files ?? []), ...always]) {
    for (const file of filesOf(directory, name)) files.add(file);
  }
  files.delete("package.json");
  return [...files].sort();
}

/** Files that no package includes. */
const left = /(^|\/)(\.DS_Store|\.gitignore|\.npmignore)$|\.tsbuildinfo$|\.orig$/;

function filesOf(directory: string, name: string): string[] {
  const path = join(directory, name);
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [name];
  return filesBelow(directory, name).filter((file) => !left.test(file));
}
