import { isUtf8 } from "node:buffer";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { type FoundPackages, findPackages, isFile, sourceFiles } from "./paths.ts";

/**
 * File access of a run. All reads must use it: the cache can't detect changes of other files, and would return outdated
 * results. Only the tool's own tables are read separately.
 */
export interface Files {
  /** Returns the text of a file. Throws the errors of `readFileSync`. */
  read(path: string): string;
  /** Returns whether a file is valid UTF-8; `read` replaces invalid bytes with U+FFFD. Throws the errors of `readFileSync`. */
  isUtf8(path: string): boolean;
  isFile(path: string): boolean;
  /** Returns a path without links; the path itself if it doesn't exist. */
  realPath(path: string): string;
  /** Returns the names of the YAML files directly in a directory, sorted. Throws the errors of `readdirSync`. */
  yamlFiles(directory: string): readonly string[];
  /** Returns the packages that match patterns such as `./...`. */
  findPackages(patterns: readonly string[], cwd: string): FoundPackages;
  /** Returns the source files of a directory, as absolute paths, sorted. */
  sourceFiles(directory: string): readonly string[];
}

/** Maximum size of a file in bytes. The largest hand-written files of types have 1 or 2 MiB. */
const largestFile = 64 * 1024 * 1024;

function readWhole(path: string): Buffer {
  const size = statSync(path).size;
  if (size <= largestFile) return readFileSync(path);
  throw Object.assign(new Error(`it has ${size} bytes, more than ${largestFile}`), { code: "EFBIG" });
}

/** The files on disk. */
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
  findPackages: (patterns: readonly string[], cwd: string) => findPackages(patterns, cwd),
  sourceFiles,
});
