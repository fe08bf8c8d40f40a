import { mkdirSync, rmdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { attempt } from "./write-error.ts";

/**
 * Makes a directory and those above it, one at a time: Node's own way of making several never ends where the system says
 * that nothing can be there, as below /proc. Gives those that were made, outermost first.
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

/** Whether it was this process that made the directory. */
function makeOne(path: string): boolean {
  return attempt(path, "make the directory", () => {
    try {
      mkdirSync(path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST" && statSync(path).isDirectory()) return false;
      throw error;
    }
  });
}

/** Removes a directory that holds nothing. */
export function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // Somebody else put something there: then it isn't ours to remove.
  }
}
