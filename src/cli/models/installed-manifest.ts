import { statSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Returns the path of a dependency's package.json by Node's resolution rules. The file may not exist.
 *
 * @param from the directory of the dependent package
 */
export function installedManifest(from: string, name: string): string {
  for (let directory = from; ; directory = dirname(directory)) {
    const manifest = join(directory, "node_modules", name, "package.json");
    if (statSync(manifest, { throwIfNoEntry: false }) || directory === dirname(directory)) return manifest;
  }
}
