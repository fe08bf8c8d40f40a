import { filesBelow } from "./files-below.ts";

/** Directories without files that users write. */
const foreign = new Set(["node_modules", "dist", "vendor", "coverage", ".git", ".kubewright"]);

/** Returns the sorted paths of a project's files, relative and with `/`. Links and generated directories are excluded. */
export function projectFiles(root: string): string[] {
  return filesBelow(root, "", (name) => !foreign.has(name)).sort();
}
