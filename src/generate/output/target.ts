import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, relative, sep } from "node:path";

/**
 * Returns the reason why a file can't be written to its destination. A link in the working directory that leaves it isn't
 * followed; an explicit directory outside of it (`output:dir=../manifests`) is used.
 *
 * @param path absolute path
 * @returns undefined if the file can be written
 */
export function targetProblem(path: string, cwd: string): string | undefined {
  for (const place of [...ancestors(path), path]) {
    const stat = lstatSync(place, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    const shown = isInside(place, cwd) ? relative(cwd, place).replaceAll(sep, "/") : place;
    if (stat.isSymbolicLink() && isInside(place, cwd)) {
      const target = realPath(place);
      if (target === undefined) return `${shown} is a dangling link (to ${readlinkSync(place)})`;
      if (!isInside(target, realpathSync(cwd))) return `${shown} is a link that leaves the project (to ${target})`;
    }
    const there = statSync(place, { throwIfNoEntry: false });
    if (place !== path && there?.isDirectory() === false) return `${shown} is a file, but must be a directory`;
    if (place === path && there?.isFile() === false) return `${shown} exists and isn't a regular file`;
  }
  return undefined;
}

/** Returns the parent directories of a path, outermost first. */
function ancestors(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [...ancestors(above), above];
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Returns whether a path is inside a directory, or is the directory. */
function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
