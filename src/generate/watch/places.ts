import { statSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import type { Observation } from "../cache/recording.ts";
import { isSkipped, packageRootOf } from "../source/paths.ts";

/** Where changes matter to a run. */
export interface Places {
  /** Directories that are searched for packages, with all below them but what such a search leaves out. */
  readonly trees: readonly string[];
  /** Directories of what else was read, or looked for; only what stands in them counts. */
  readonly directories: readonly string[];
}

/** The places that a run over `patterns` depends on, by what it asked. What isn't there is awaited in the nearest directory above. */
export function placesToWatch(patterns: readonly string[], cwd: string, observations: readonly Observation[]): Places {
  const trees = new Set<string>();
  const directories = new Set<string>();
  for (const pattern of patterns.length === 0 ? ["."] : patterns) {
    const { root, recursive } = packageRootOf(pattern, cwd);
    const there = nearest(root);
    (recursive && there === root ? trees : directories).add(there);
  }
  const asked = observations.flatMap(({ args }) => args.filter((arg) => typeof arg === "string" && isAbsolute(arg)));
  for (const path of new Set(asked as string[])) {
    const directory = isDirectory(path) ? path : nearest(dirname(path));
    if (![...trees].some((tree) => covers(tree, directory))) directories.add(directory);
    // A file that is no source isn't looked at in a tree.
    else if (!isDirectory(path) && !/\.m?ts$/.test(path)) directories.add(directory);
  }
  return { trees: [...trees].sort(), directories: [...directories].sort() };
}

/** Whether a search for packages in `tree` looks into `directory`. */
export function covers(tree: string, directory: string): boolean {
  const way = relative(tree, directory);
  if (way === "") return true;
  if (isAbsolute(way)) return false;
  return !way.split(sep).some((name) => name === ".." || isSkipped(name));
}

/** The directory itself, or the nearest above it that exists. */
function nearest(path: string): string {
  for (let place = resolve(path); ; place = dirname(place)) {
    if (isDirectory(place) || place === dirname(place)) return place;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
