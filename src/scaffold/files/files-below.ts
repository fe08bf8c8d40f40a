import { lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { insidePath } from "./inside.ts";

/**
 * Returns the files below a directory, relative to `root`, with `/`. Doesn't follow links. Returns no files if the directory
 * doesn't exist.
 *
 * @param root the project's directory, links resolved
 * @param directory relative to `root`, empty for `root` itself
 * @param enter whether to search directories with this name
 * @throws ProblemError if a link on the path to the directory leaves the project
 */
export function filesBelow(root: string, directory: string, enter: (name: string) => boolean = () => true): string[] {
  const start = directory === "" ? root : dirname(insidePath(root, `${directory}/-`));
  if (lstatSync(start, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return filesIn(start, directory, enter);
}

/** Node 22 and later follow links with readdir's `recursive` option, so it isn't used. */
function filesIn(place: string, directory: string, enter: (name: string) => boolean): string[] {
  return readdirSync(place, { withFileTypes: true }).flatMap((entry) => {
    const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
    if (!isNamed(place, entry.name)) return [];
    if (entry.isDirectory()) return enter(entry.name) ? filesIn(join(place, entry.name), path, enter) : [];
    return entry.isFile() ? [path] : [];
  });
}

/**
 * Whether the name that was read leads to the file: one that isn't UTF-8 doesn't. Scaffolded files never have such names.
 */
function isNamed(place: string, name: string): boolean {
  return !name.includes("\ufffd") || lstatSync(join(place, name), { throwIfNoEntry: false }) !== undefined;
}
