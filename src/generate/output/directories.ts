import { mkdirSync, rmdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { attempt } from "./write-error.ts";

/**
 * Creates a directory and its parents, one at a time: Node's recursive mkdir never returns if the system refuses to create
 * anything, as in /proc. Returns the created directories, outermost first.
 */
export function makeDirectories(path: string): string[] {
  const missing: string[] = [];
  for (let place = path; !statSync(place, { throwIfNoEntry: false }); place = dirname(place)) missing.unshift(place);
  const made: string[] = [];
  try {
    for (const directory of missing) if (makeOne(directory)) made.push(directory);
  } catch (error) {
    for (const directory of made.reverse()) removeIfEmpty(directory);
    throw error;
  }
  return made;
}

/** Returns whether this process created the directory. */
function makeOne(path: string): boolean {
  return attempt(path, "create the directory", () => {
    try {
      mkdirSync(path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST" && statSync(path).isDirectory()) return false;
      throw error;
    }
  });
}

/** Removes an empty directory. */
export function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // The directory isn't empty, so other files are in it.
  }
}
