import { readdirSync } from "node:fs";
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
    if (entry.isDirectory()) return enter(entry.name) ? filesBelow(root, path, enter) : [];
    return entry.isFile() ? [path] : [];
  });
}
