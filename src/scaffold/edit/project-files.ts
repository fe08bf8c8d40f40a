import { filesBelow } from "../files-below.ts";

/** Directories that hold nothing that anybody wrote. */
const foreign = new Set(["node_modules", "dist", "vendor", "coverage", ".git", ".kubewright"]);

/** The files of a project, relative to it, with `/`, sorted; links and what tools have made are left out. */
export function projectFiles(root: string): string[] {
  return filesBelow(root, "", (name) => !foreign.has(name)).sort();
}
