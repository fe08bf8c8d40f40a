import { statSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import type { Observation } from "../cache/recording.ts";
import { isSkipped, packageRootOf } from "../source/paths.ts";

/** The directories whose changes affect a run. */
export interface WatchedPaths {
  /** Directories that are searched for packages, watched recursively except for the subdirectories that the search skips. */
  readonly trees: readonly string[];
  /** Directories of other files that were read or looked for, watched without subdirectories. */
  readonly directories: readonly string[];
}

/** Returns the directories that a run over `patterns` depends on. If one doesn't exist, its nearest existing parent is watched. */
export function pathsToWatch(
  patterns: readonly string[],
  cwd: string,
  observations: readonly Observation[],
): WatchedPaths {
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
    // In trees, only source files are watched.
    else if (!isDirectory(path) && !/\.m?ts$/.test(path)) directories.add(directory);
  }
  return { trees: [...trees].sort(), directories: [...directories].sort() };
}

/** Returns whether a search for packages in `tree` includes `directory`. */
export function covers(tree: string, directory: string): boolean {
  const way = relative(tree, directory);
  if (way === "") return true;
  if (isAbsolute(way)) return false;
  return !way.split(sep).some((name) => name === ".." || isSkipped(name));
}

/** Returns the directory itself, or its nearest existing parent. */
function nearest(path: string): string {
  for (let place = resolve(path); ; place = dirname(place)) {
    if (isDirectory(place) || place === dirname(place)) return place;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
