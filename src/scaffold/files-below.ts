import { lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { insidePath } from "./inside.ts";

/**
 * The files below a directory, relative to `root`, with `/`; links are left out, and what lies behind them. None if there is no
 * such directory.
 *
 * @param root the project's directory, links resolved
 * @param directory relative to `root`, empty for `root` itself
 * @param enter whether to look into a directory of that name
 * @throws ScaffoldError if a link on the way to the directory leaves the project
 */
export function filesBelow(root: string, directory: string, enter: (name: string) => boolean = () => true): string[] {
  const start = directory === "" ? root : dirname(insidePath(root, `${directory}/-`));
  if (lstatSync(start, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return filesIn(start, directory, enter);
}

/** Not readdir's `recursive`: on Node 22 and later that follows links. */
function filesIn(place: string, directory: string, enter: (name: string) => boolean): string[] {
  return readdirSync(place, { withFileTypes: true }).flatMap((entry) => {
    const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
    if (!isNamed(place, entry.name)) return [];
    if (entry.isDirectory()) return enter(entry.name) ? filesIn(join(place, entry.name), path, enter) : [];
    return entry.isFile() ? [path] : [];
  });
}

/** Whether a name leads back to its file: one that isn't UTF-8 can't be written as text. Nothing of ours has such a name. */
function isNamed(place: string, name: string): boolean {
  return !name.includes("\ufffd") || lstatSync(join(place, name), { throwIfNoEntry: false }) !== undefined;
}
