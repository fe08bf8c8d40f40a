import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { readPristineCopies } from "../pristine.ts";
import { archivePath } from "../pristine-archive.ts";
import { openTree } from "../tree.ts";

/** Stores the pristine copies of a project as versions before the archive did: one compressed file each. */
export function compressCopies(root: string): void {
  const copies = readPristineCopies(openTree(root));
  rmSync(join(root, archivePath));
  for (const [path, text] of copies) {
    const stored = join(root, ".kubewright", path.startsWith("chart/") ? "" : "pristine", `${path}.gz`);
    mkdirSync(dirname(stored), { recursive: true });
    writeFileSync(stored, gzipSync(text));
  }
}
