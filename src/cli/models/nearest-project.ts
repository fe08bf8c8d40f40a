import { readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Finds the nearest PROJECT file, in the directory or one of its parents. */
export function nearestProject(cwd: string): { readonly path: string; readonly text: string } | undefined {
  for (let directory = cwd; ; directory = dirname(directory)) {
    const path = join(directory, "PROJECT");
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) return { path, text: readFileSync(path, "utf8") };
    if (directory === dirname(directory)) return undefined;
  }
}

/** Returns the command that changes to the project directory, such as `cd ..`; undefined in that directory and outside of projects. */
export function wayToProject(cwd: string): string | undefined {
  const found = nearestProject(cwd);
  const way = found === undefined ? "" : relative(cwd, dirname(found.path));
  return way === "" ? undefined : `cd ${way}`;
}
