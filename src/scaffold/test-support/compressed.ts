import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { openTree } from "../files/tree.ts";
import { pristinePath, pristineTexts } from "../pristine/pristine.ts";

/** Stores the pristine copies of a project as earlier versions did, in one compressed file each. */
export function compressCopies(root: string): void {
  const copies = pristineTexts(openTree(root));
  rmSync(join(root, pristinePath));
  for (const [path, text] of copies) {
    const stored = join(root, ".kubewright", path.startsWith("chart/") ? "" : "pristine", `${path}.gz`);
    mkdirSync(dirname(stored), { recursive: true });
    writeFileSync(stored, gzipSync(text));
  }
}
