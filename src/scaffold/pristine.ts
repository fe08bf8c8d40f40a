import { gunzipSync, gzipSync } from "node:zlib";
import { filesBelow } from "./files-below.ts";
import { ScaffoldError } from "./scaffold-error.ts";
import type { Tree } from "./tree.ts";

const directory = ".kubewright/pristine";

/**
 * Maximum size of an unpacked copy in bytes: the largest scaffolded file, with types of the largest CRD that an API server
 * stores, has 2 MiB.
 */
const largestCopy = 8 * 1024 * 1024;
/**
 * Maximum size of all copies that a run unpacks in bytes: a project with two hundred kinds has 10 MiB, and some copies are
 * read often.
 */
const largestSum = 256 * 1024 * 1024;
/** Maximum number of copies in a project: one with two hundred kinds has 3,000. */
const mostCopies = 20_000;

/** Returns the path of the pristine copy of a scaffolded file. */
export function pristinePath(path: string): string {
  return `${directory}/${path}.gz`;
}

/** Returns the sorted paths of files that have a pristine copy among the paths of a tree. */
export function pristinePaths(paths: readonly string[]): string[] {
  const [start, end] = [`${directory}/`, ".gz"];
  return paths
    .filter((path) => path.startsWith(start) && path.endsWith(end))
    .map((path) => path.slice(start.length, -end.length))
    .sort();
}

/** Returns the sorted paths of a project's files on disk that have a pristine copy. */
export function pristineFiles(tree: Tree): string[] {
  const files = pristinePaths(filesBelow(tree.root, directory));
  if (files.length <= mostCopies) return files;
  throw tooMuch(`${directory} can't be read: it has ${files.length} files, and ${mostCopies} are allowed`);
}

/** Compresses a text to the same bytes on every machine. */
export function pack(text: string | Uint8Array): Uint8Array {
  const bytes = gzipSync(text, { level: 9 });
  // The tenth byte is the operating system; 255 is "unknown".
  bytes[9] = 255;
  return bytes;
}

/**
 * Returns the text that was scaffolded for a file, or undefined if there is no readable copy.
 *
 * @throws ScaffoldError if it unpacks to more than the maximum size
 */
export function readPristine(tree: Tree, path: string): string | undefined {
  return readCopy(tree, pristinePath(path));
}

const unpacked = new WeakMap<Tree, number>();

/** Reads a copy as {@link readPristine} does, but at another path. */
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

/** Returns the pristine copies of a project as a tree: the project without the user's changes to scaffolded files. */
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
