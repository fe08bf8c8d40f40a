import { join } from "node:path";

/** The directory for files of old versions, whose packages are those of the project. */
export function cacheOf(root: string): string {
  return join(root, "node_modules", ".cache", "kubewright", "simulate");
}
