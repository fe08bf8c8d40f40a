import { readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** The nearest PROJECT file: of the directory, or of one above it. */
export function nearestProject(cwd: string): { readonly path: string; readonly text: string } | undefined {
  for (let directory = cwd; ; directory = dirname(directory)) {
    const path = join(directory, "PROJECT");
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) return { path, text: readFileSync(path, "utf8") };
    if (directory === dirname(directory)) return undefined;
  }
}

/** The way to the project that a directory lies in, such as `cd ..`; undefined in its own directory and outside of any. */
export function wayToProject(cwd: string): string | undefined {
  const found = nearestProject(cwd);
  const way = found === undefined ? "" : relative(cwd, dirname(found.path));
  return way === "" ? undefined : `cd ${way}`;
}
