import { gunzipSync, gzipSync } from "node:zlib";
import type { Tree } from "./tree.ts";

const directory = ".kubewright/pristine";

/** Where the untouched copy of a scaffolded file lies. */
export function pristinePath(path: string): string {
  return `${directory}/${path}.gz`;
}

/** The same text always gives the same bytes, whatever the machine. */
export function pack(text: string | Uint8Array): Uint8Array {
  const bytes = gzipSync(text, { level: 9 });
  // The tenth byte names the operating system; 255 is "unknown".
  bytes[9] = 255;
  return bytes;
}

/** The text that was scaffolded for a file, or undefined where none is kept or it can't be read. */
export function readPristine(tree: Tree, path: string): string | undefined {
  const bytes = tree.read(pristinePath(path));
  if (bytes === undefined) return undefined;
  try {
    return gunzipSync(bytes).toString("utf8");
  } catch {
    return undefined;
  }
}
