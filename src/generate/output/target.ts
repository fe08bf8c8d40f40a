import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, relative, sep } from "node:path";

/**
 * Why a file can't be written where it belongs, or undefined. A link in the working directory that leads out of it is not
 * followed; a directory elsewhere that was named on purpose (`output:dir=../manifests`) is.
 *
 * @param path absolute
 */
export function targetProblem(path: string, cwd: string): string | undefined {
  for (const place of [...ancestors(path), path]) {
    const stat = lstatSync(place, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    const shown = isInside(place, cwd) ? relative(cwd, place).replaceAll(sep, "/") : place;
    if (stat.isSymbolicLink() && isInside(place, cwd)) {
      const target = realPath(place);
      if (target === undefined) return `${shown} is a link to nothing (${readlinkSync(place)})`;
      if (!isInside(target, realpathSync(cwd))) return `${shown} is a link that leaves the project (to ${target})`;
    }
    const there = statSync(place, { throwIfNoEntry: false });
    if (place !== path && there?.isDirectory() === false) return `${shown} is a file, where a directory has to be`;
    if (place === path && there?.isFile() === false) return `${shown} is there already, and is no file`;
  }
  return undefined;
}

/** The directories above a path, outermost first. */
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

/** Whether a path is in a directory, or is it. */
function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
