import { gunzipSync, gzipSync } from "node:zlib";
import { filesBelow } from "./files-below.ts";
import { ScaffoldError } from "./scaffold-error.ts";
import type { Tree } from "./tree.ts";

const directory = ".kubewright/pristine";

/** Bytes of one unpacked copy: the largest that is scaffolded, types of a CRD as large as an API server stores, has 2 MiB. */
const largestCopy = 8 * 1024 * 1024;
/** Bytes of all copies that a run unpacks: a project of two hundred kinds has 10 MiB, and reads some of its copies often. */
const largestSum = 256 * 1024 * 1024;
/** Copies in a project: two hundred kinds have 3,000. */
const mostCopies = 20_000;

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
  const files = pristinePaths(filesBelow(tree.root, directory));
  if (files.length <= mostCopies) return files;
  throw tooMuch(`${directory} can't be read: it has ${files.length} files, and ${mostCopies} are allowed`);
}

/** The same text always gives the same bytes, whatever the machine. */
export function pack(text: string | Uint8Array): Uint8Array {
  const bytes = gzipSync(text, { level: 9 });
  // The tenth byte names the operating system; 255 is "unknown".
  bytes[9] = 255;
  return bytes;
}

/**
 * The text that was scaffolded for a file, or undefined where none is kept or it can't be read.
 *
 * @throws ScaffoldError if it unpacks to more than any scaffolded file has
 */
export function readPristine(tree: Tree, path: string): string | undefined {
  return readCopy(tree, pristinePath(path));
}

const unpacked = new WeakMap<Tree, number>();

/** {@link readPristine} for a copy that has another place. */
export function readCopy(tree: Tree, path: string): string | undefined {
  const bytes = tree.read(path);
  if (bytes === undefined) return undefined;
  let text: Buffer;
  try {
    text = gunzipSync(bytes, { maxOutputLength: largestCopy });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") return undefined;
    throw tooMuch(`${path} can't be read: it unpacks to more than ${largestCopy / 1024 / 1024} MiB`);
  }
  const sum = (unpacked.get(tree) ?? 0) + text.length;
  unpacked.set(tree, sum);
  if (sum <= largestSum) return text.toString("utf8");
  throw tooMuch(`.kubewright can't be read: its files unpack to more than ${largestSum / 1024 / 1024} MiB`);
}

function tooMuch(message: string): ScaffoldError {
  return new ScaffoldError("too-large", message, "restore .kubewright from version control");
}

/** The pristine copies of a project as a tree of their own: the project as if nobody had edited its scaffolded files. */
export function pristineTree(tree: Tree): Tree {
  const known = new Map<string, string | undefined>();
  const readText = (path: string) => {
    if (!known.has(path)) known.set(path, readPristine(tree, path));
    return known.get(path);
  };
  const read = (path: string) => {
    const text = readText(path);
    return text === undefined ? undefined : Buffer.from(text);
  };
  return { root: tree.root, read, readText };
}
