import { isUtf8 } from "node:buffer";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { type FoundPackages, findPackages, isFile, sourceFiles } from "./paths.ts";

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

/** Bytes of a file that is read. The largest files of types that people write have 1 or 2 MiB. */
const largestFile = 64 * 1024 * 1024;

function readWhole(path: string): Buffer {
  const size = statSync(path).size;
  if (size <= largestFile) return readFileSync(path);
  throw Object.assign(new Error(`it has ${size} bytes, more than ${largestFile}`), { code: "EFBIG" });
}

/** The files as they are. */
export const disk: Files = Object.freeze({
  read: (path: string) => readWhole(path).toString("utf8"),
  isUtf8: (path: string) => isUtf8(readWhole(path)),
  isFile,
  realPath: (path: string) => (existsSync(path) ? realpathSync.native(path) : path),
  yamlFiles: (directory: string) =>
    readdirSync(directory, { withFileTypes: true })
      // Reading a pipe or a device might never end.
      .filter((entry) => entry.name.endsWith(".yaml") && isFile(join(directory, entry.name)))
      .map((entry) => entry.name)
      .sort(),
  findPackages,
  sourceFiles,
});
