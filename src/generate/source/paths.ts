import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { join, resolve } from "node:path";

const skippedDirectories = new Set(["node_modules", "dist", "vendor", "testdata"]);

/** The packages and problems of a list of patterns. */
export interface FoundPackages {
  /** Absolute paths of directories with TypeScript files, sorted. */
  readonly directories: readonly string[];
  /** Patterns without a match. */
  readonly missing: readonly string[];
  /** Directories below the patterns that can't be listed, with the reasons. */
  readonly unreadable: readonly Unreadable[];
}

/** A directory that can't be listed, with the reason. */
export interface Unreadable {
  readonly directory: string;
  readonly reason: string;
}

/**
 * Finds the packages that match patterns such as `./api/v1` and `./...`.
 *
 * @param onVisit - receives each path that the result depends on
 */
export function findPackages(
  patterns: readonly string[],
  cwd: string,
  onVisit: (path: string) => void = () => undefined,
): FoundPackages {
  const directories = new Set<string>();
  const missing: string[] = [];
  const unreadable: Unreadable[] = [];
  for (const pattern of patterns) {
    const { root, recursive } = packageRootOf(pattern, cwd);
    const kind = kindOf(root);
    onVisit(root);
    if (kind?.isFile() && isSourceName(root)) directories.add(resolve(root, ".."));
    else if (!kind?.isDirectory()) missing.push(pattern);
    else if (recursive) addAll(root, directories, unreadable, onVisit);
    else if (sourceFiles(root).length > 0) directories.add(root);
    else missing.push(pattern);
  }
  return { directories: [...directories].sort(), missing, unreadable };
}

/** Returns the directory (or file) at which a pattern begins, and whether it includes subdirectories. */
export function packageRootOf(pattern: string, cwd: string): { root: string; recursive: boolean } {
  const recursive = pattern === "..." || /[\\/]\.\.\.$/.test(pattern);
  return { root: resolve(cwd, recursive ? pattern.slice(0, -3) || "." : pattern), recursive };
}

function addAll(directory: string, into: Set<string>, unreadable: Unreadable[], onVisit: (path: string) => void): void {
  let hasSources = false;
  onVisit(directory);
  for (const entry of list(directory, unreadable)) {
    if (isSource(entry)) hasSources = true;
    // As in Go, links to directories aren't followed: they may form cycles.
    if (entry.isDirectory() && !isSkipped(entry.name)) addAll(join(directory, entry.name), into, unreadable, onVisit);
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

/** Returns whether `./...` excludes a directory. */
export function isSkipped(name: string): boolean {
  return skippedDirectories.has(name) || name.startsWith(".") || name.startsWith("_");
}

/** Returns whether a file belongs to a package: TypeScript, but neither a test nor a declaration file. */
export function isSourceName(name: string): boolean {
  return /\.[mc]?ts$/.test(name) && !/\.(test|spec|d)\.[mc]?ts$/.test(name) && !/(^|[\\/])[._][^\\/]*$/.test(name);
}

/** Returns whether an entry is a source file, or a link to a file with the name of a source file. */
function isSource(entry: Dirent): boolean {
  if (!isSourceName(entry.name)) return false;
  return entry.isFile() || (entry.isSymbolicLink() && isFile(join(entry.parentPath, entry.name)));
}

/**
 * Returns whether a path is a file. False if it can't be accessed: for example, the name is too long or a link refers to
 * itself.
 */
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

/** Returns the source files of a directory, as absolute paths, sorted. */
export function sourceFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter(isSource)
    .map((entry) => join(directory, entry.name))
    .sort();
}
