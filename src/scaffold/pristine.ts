import { existsSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { filesBelow } from "./files-below.ts";
import type { Tree } from "./tree.ts";

const directory = ".kubewright/pristine";

/** Where the untouched copy of a scaffolded file lies. */
export function pristinePath(path: string): string {
  return `${directory}/${path}.gz`;
}

/** Of the paths of a tree the files that have a pristine copy, sorted. */
export function pristinePaths(paths: readonly string[]): string[] {
  const [start, end] = [`${directory}/`, ".gz"];
  return paths
    .filter((path) => path.startsWith(start) && path.endsWith(end))
    .map((path) => path.slice(start.length, -end.length))
    .sort();
}

/** The files of a project on disk that have a pristine copy, sorted. */
export function pristineFiles(tree: Tree): string[] {
  return existsSync(join(tree.root, directory)) ? pristinePaths(filesBelow(tree.root, directory)) : [];
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
  return unpack(tree.read(pristinePath(path)));
}

/** The text that was packed, or undefined where there are no bytes or they can't be read. */
export function unpack(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    return gunzipSync(bytes).toString("utf8");
  } catch {
    return undefined;
  }
}
