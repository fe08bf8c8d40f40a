import { type Dirent, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const skippedDirectories = new Set(["node_modules", "dist", "vendor", "testdata"]);

/** Directories and errors of a list of patterns. */
export interface FoundPackages {
  /** Absolute paths of directories with TypeScript files, sorted. */
  readonly directories: readonly string[];
  /** Patterns that name nothing. */
  readonly missing: readonly string[];
}

/** Finds the packages that patterns such as `./api/v1` and `./...` name. */
export function findPackages(patterns: readonly string[], cwd: string): FoundPackages {
  const directories = new Set<string>();
  const missing: string[] = [];
  for (const pattern of patterns) {
    const { root, recursive } = packageRootOf(pattern, cwd);
    const kind = statSync(root, { throwIfNoEntry: false });
    if (kind?.isFile() && isSourceName(root)) directories.add(resolve(root, ".."));
    else if (!kind?.isDirectory()) missing.push(pattern);
    else if (recursive) addAll(root, directories);
    else if (sourceFiles(root).length > 0) directories.add(root);
    else missing.push(pattern);
  }
  return { directories: [...directories].sort(), missing };
}

/** The directory (or file) that a pattern begins at, and whether all below it is meant. */
export function packageRootOf(pattern: string, cwd: string): { root: string; recursive: boolean } {
  const recursive = pattern === "..." || /[\\/]\.\.\.$/.test(pattern);
  return { root: resolve(cwd, recursive ? pattern.slice(0, -3) || "." : pattern), recursive };
}

function addAll(directory: string, into: Set<string>): void {
  let hasSources = false;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (isSource(entry)) hasSources = true;
    // Links to directories are not followed, as by Go: they may lead back to where they are.
    if (entry.isDirectory() && !isSkipped(entry.name)) addAll(join(directory, entry.name), into);
  }
  if (hasSources) into.add(directory);
}

/** Whether `./...` leaves a directory out. */
export function isSkipped(name: string): boolean {
  return skippedDirectories.has(name) || name.startsWith(".") || name.startsWith("_");
}

/** Whether a file belongs to a package: TypeScript, but no test and no declaration file. */
export function isSourceName(name: string): boolean {
  return /\.[mc]?ts$/.test(name) && !/\.(test|spec|d)\.[mc]?ts$/.test(name) && !/(^|[\\/])[._][^\\/]*$/.test(name);
}

/** A source file, or a link to a file that is named like one. */
function isSource(entry: Dirent): boolean {
  if (!isSourceName(entry.name)) return false;
  const target = () => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false });
  return entry.isFile() || (entry.isSymbolicLink() && target()?.isFile() === true);
}

/** The source files of a directory, as absolute paths, sorted. */
export function sourceFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter(isSource)
    .map((entry) => join(directory, entry.name))
    .sort();
}
