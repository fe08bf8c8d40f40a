import { statSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Returns the directory of a project's cache: in the `node_modules` of the working directory, or of the nearest package above
 * it. Undefined if there is none.
 */
export function cacheDirectory(cwd: string): string | undefined {
  for (let directory = cwd, first = true; ; directory = dirname(directory), first = false) {
    // A `node_modules` without a package.json above the working directory isn't the project's.
    if (isDirectory(join(directory, "node_modules")) && (first || exists(join(directory, "package.json")))) {
      return join(directory, "node_modules", ".cache", "kubewright");
    }
    if (directory === dirname(directory)) return undefined;
  }
}

/** Returns whether a path is a directory. */
export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
