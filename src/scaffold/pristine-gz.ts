import { gunzipSync } from "node:zlib";
import { filesBelow } from "./files-below.ts";
import { mostCopies, tooMany } from "./pristine-archive.ts";
import { ScaffoldError } from "./scaffold-error.ts";
import type { Tree } from "./tree.ts";

/**
 * Maximum size of an unpacked copy in bytes: the largest scaffolded file, with types of the largest CRD that an API server
 * stores, has 2 MiB.
 */
const largestCopy = 8 * 1024 * 1024;
/** Maximum size of all copies in bytes: a project with two hundred kinds has 10 MiB. */
const largestSum = 256 * 1024 * 1024;

/** The directories of earlier versions, with one compressed copy per file, and the part of the project below them. */
const directories = [
  { directory: ".kubewright/pristine", below: "" },
  { directory: ".kubewright/chart", below: "chart/" },
];

/** A compressed copy of an earlier version: its own path, and that of the scaffolded file. */
export interface CompressedCopy {
  readonly stored: string;
  readonly path: string;
}

/** Returns the compressed copies on disk, which earlier versions stored instead of an archive. */
export function compressedCopies({ root }: Tree): readonly CompressedCopy[] {
  // A tree in memory has no directory.
  if (root === "") return [];
  return directories.flatMap(({ directory, below }) => {
    const files = filesBelow(root, directory).filter((path) => path.endsWith(".gz"));
    if (files.length > mostCopies) throw tooMany(directory);
    return files.map((stored) => ({ stored, path: below + stored.slice(directory.length + 1, -".gz".length) }));
  });
}

/**
 * Reads compressed copies. Leaves out those that can't be unpacked.
 *
 * @throws ScaffoldError if they unpack to more than the maximum size
 */
export function readCompressed(tree: Tree, copies: readonly CompressedCopy[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let sum = 0;
  for (const { stored, path } of copies) {
    const text = unpacked(tree, stored);
    if (text === undefined) continue;
    sum += text.length;
    if (sum > largestSum)
      throw tooMuch(`.kubewright can't be read: its files unpack to more than ${largestSum / 1024 / 1024} MiB`);
    texts.set(path, text.toString("utf8"));
  }
  return texts;
}

function unpacked(tree: Tree, path: string): Buffer | undefined {
  const bytes = tree.read(path);
  if (bytes === undefined) return undefined;
  try {
    return gunzipSync(bytes, { maxOutputLength: largestCopy });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") return undefined;
    throw tooMuch(`${path} can't be read: it unpacks to more than ${largestCopy / 1024 / 1024} MiB`);
  }
}

function tooMuch(message: string): ScaffoldError {
  return new ScaffoldError("too-large", message, "restore .kubewright from version control");
}
