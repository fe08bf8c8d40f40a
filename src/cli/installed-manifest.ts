import { statSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where the package.json of a package lies that something in a directory depends on, by Node's rules; where none does, it isn't a file. */
export function installedManifest(from: string, name: string): string {
  for (let directory = from; ; directory = dirname(directory)) {
    const manifest = join(directory, "node_modules", name, "package.json");
    if (statSync(manifest, { throwIfNoEntry: false }) || directory === dirname(directory)) return manifest;
  }
}
