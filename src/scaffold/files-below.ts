import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * The files below a directory, relative to `root`, with `/`; links are left out, and what lies behind them.
 *
 * @param directory relative to `root`, empty for `root` itself
 * @param enter whether to look into a directory of that name
 */
export function filesBelow(root: string, directory: string, enter: (name: string) => boolean = () => true): string[] {
  // Not readdir's `recursive`: on Node 22 and later that follows links.
  return readdirSync(join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
    if (entry.isDirectory())
      return enter(entry.name) && isNamed(root, path, entry.name) ? filesBelow(root, path, enter) : [];
    return entry.isFile() && isNamed(root, path, entry.name) ? [path] : [];
  });
}

/** Whether a name leads back to its file: one that isn't UTF-8 can't be written as text. Nothing of ours has such a name. */
function isNamed(root: string, path: string, name: string): boolean {
  return !name.includes("\ufffd") || lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
}
