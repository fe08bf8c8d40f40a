import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Directories that hold nothing that anybody wrote. */
const foreign = new Set(["node_modules", "dist", "vendor", "coverage", ".git", ".kubewright"]);

/** The files of a project, relative to it, with `/`, sorted; links and what tools have made are left out. */
export function projectFiles(root: string): string[] {
  const below = (directory: string): string[] =>
    readdirSync(join(root, directory), { withFileTypes: true }).flatMap((entry) => {
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
      if (entry.isDirectory()) return foreign.has(entry.name) ? [] : below(path);
      return entry.isFile() ? [path] : [];
    });
  return below("").sort();
}
