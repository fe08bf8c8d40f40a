import { isUtf8 } from "node:buffer";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { type FoundPackages, findPackages, sourceFiles } from "./paths.ts";

/**
 * What a run reads of the disk, and the only way it does: what isn't asked for here the cache doesn't know, and would
 * take an old result for a current one. Tables that belong to the tool itself are read elsewhere.
 */
export interface Files {
  /** A file's text. Throws what `readFileSync` throws. */
  read(path: string): string;
  /** Whether all of a file is UTF-8: of anything else `read` gives U+FFFD in its place. Throws what `readFileSync` throws. */
  isUtf8(path: string): boolean;
  isFile(path: string): boolean;
  /** A path without links; the path itself if there is nothing. */
  realPath(path: string): string;
  /** The YAML files right in a directory, by their names, sorted. Throws what `readdirSync` throws. */
  yamlFiles(directory: string): readonly string[];
  /** The packages that patterns such as `./...` name. */
  findPackages(patterns: readonly string[], cwd: string): FoundPackages;
  /** The source files of a directory, as absolute paths, sorted. */
  sourceFiles(directory: string): readonly string[];
}

/** What can't be looked at, such as `data.json/index.ts` below a file or a name that is too long, is no file. */
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

/** The files as they are. */
export const disk: Files = Object.freeze({
  read: (path: string) => readFileSync(path, "utf8"),
  isUtf8: (path: string) => isUtf8(readFileSync(path)),
  isFile,
  realPath: (path: string) => (existsSync(path) ? realpathSync.native(path) : path),
  yamlFiles: (directory: string) =>
    readdirSync(directory, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && entry.name.endsWith(".yaml"))
      .map((entry) => entry.name)
      .sort(),
  findPackages,
  sourceFiles,
});
