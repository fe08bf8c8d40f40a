import { readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Finds the nearest PROJECT file, in the directory or one of its parents. */
export function nearestProject(cwd: string): { readonly path: string; readonly text: string } | undefined {
  const path = projectPlaces(cwd).at(-1) ?? "";
  return isFile(path) ? { path, text: readFileSync(path, "utf8") } : undefined;
}

/** Returns the paths at which {@link nearestProject} looks for the file, the last of which it reads. */
export function projectPlaces(cwd: string): string[] {
  const places: string[] = [];
  for (let directory = cwd; ; directory = dirname(directory)) {
    const path = join(directory, "PROJECT");
    places.push(path);
    if (isFile(path) || directory === dirname(directory)) return places;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Returns the command that changes to the project directory, such as `cd ..`; undefined in that directory and outside of projects. */
export function wayToProject(cwd: string): string | undefined {
  const project = nearestProject(cwd);
  const way = project === undefined ? "" : relative(cwd, dirname(project.path));
  return way === "" ? undefined : `cd ${way}`;
}
