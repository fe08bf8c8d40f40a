import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { join, resolve } from "node:path";

const skippedDirectories = new Set(["node_modules", "dist", "vendor", "testdata"]);

/** Directories and errors of a list of patterns. */
export interface FoundPackages {
  /** Absolute paths of directories with TypeScript files, sorted. */
  readonly directories: readonly string[];
  /** Patterns that name nothing. */
  readonly missing: readonly string[];
  /** Directories below the patterns that can't be listed, and why. */
  readonly unreadable: readonly Unreadable[];
}

/** A directory that can't be listed, and why. */
export interface Unreadable {
  readonly directory: string;
  readonly reason: string;
}

/** Finds the packages that patterns such as `./api/v1` and `./...` name. */
export function findPackages(patterns: readonly string[], cwd: string): FoundPackages {
  const directories = new Set<string>();
  const missing: string[] = [];
  const unreadable: Unreadable[] = [];
  for (const pattern of patterns) {
    const { root, recursive } = packageRootOf(pattern, cwd);
    const kind = kindOf(root);
    if (kind?.isFile() && isSourceName(root)) directories.add(resolve(root, ".."));
    else if (!kind?.isDirectory()) missing.push(pattern);
    else if (recursive) addAll(root, directories, unreadable);
    else if (sourceFiles(root).length > 0) directories.add(root);
    else missing.push(pattern);
  }
  return { directories: [...directories].sort(), missing, unreadable };
}

/** The directory (or file) that a pattern begins at, and whether all below it is meant. */
export function packageRootOf(pattern: string, cwd: string): { root: string; recursive: boolean } {
  const recursive = pattern === "..." || /[\\/]\.\.\.$/.test(pattern);
  return { root: resolve(cwd, recursive ? pattern.slice(0, -3) || "." : pattern), recursive };
}

function addAll(directory: string, into: Set<string>, unreadable: Unreadable[]): void {
  let hasSources = false;
  for (const entry of list(directory, unreadable)) {
    if (isSource(entry)) hasSources = true;
    // Links to directories are not followed, as by Go: they may lead back to where they are.
    if (entry.isDirectory() && !isSkipped(entry.name)) addAll(join(directory, entry.name), into, unreadable);
  }
  if (hasSources) into.add(directory);
}

function list(directory: string, unreadable: Unreadable[]): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = directory.includes("\ufffd") ? "its name is not UTF-8" : (code ?? message);
    unreadable.push({ directory, reason });
    return [];
  }
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
  return entry.isFile() || (entry.isSymbolicLink() && isFile(join(entry.parentPath, entry.name)));
}

/** Whether a path is a file. What can't be looked at, such as a name that is too long or a link to itself, is none. */
export function isFile(path: string): boolean {
  return kindOf(path)?.isFile() === true;
}

function kindOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The source files of a directory, as absolute paths, sorted. */
export function sourceFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter(isSource)
    .map((entry) => join(directory, entry.name))
    .sort();
}
