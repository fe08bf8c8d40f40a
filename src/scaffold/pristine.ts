import { archivePath, formatArchive, type IntactCopies, intactCopies, parseArchive } from "./pristine-archive.ts";
import { compressedCopies, readCompressed } from "./pristine-gz.ts";
import type { Tree } from "./tree.ts";

/** The texts of scaffolded files as they were rendered, by path. */
export type PristineCopies = ReadonlyMap<string, string>;

/** The archive that was parsed or formatted last: a command reads it often. */
let last: { readonly bytes: Buffer; readonly copies: PristineCopies } | undefined;

/**
 * Returns the pristine copies of a project, sorted by path.
 *
 * @throws ScaffoldError if they are damaged, the result of a merge, or too large
 */
export function readPristineCopies(tree: Tree): PristineCopies {
  const bytes = tree.read(archivePath);
  if (bytes === undefined) return sorted(readCompressed(tree, compressedCopies(tree)));
  if (last?.bytes.equals(bytes) !== true) last = { bytes, copies: parseArchive(bytes.toString("utf8")) };
  return last.copies;
}

/** Returns the undamaged pristine copies of a project whose archive may be the result of a merge. */
export function readIntactCopies(tree: Tree): IntactCopies {
  const archive = tree.readText(archivePath);
  if (archive !== undefined) return intactCopies(archive);
  const copies = readCompressed(tree, compressedCopies(tree));
  return { copies, paths: new Set(copies.keys()) };
}

/** Returns the text that was scaffolded for a file, or undefined if there is no copy. */
export function readPristine(tree: Tree, path: string): string | undefined {
  return readPristineCopies(tree).get(path);
}

/** The files that contain the pristine copies: new contents, and files to remove. */
export interface StoredCopies {
  readonly contents: ReadonlyMap<string, string>;
  readonly gone: ReadonlySet<string>;
}

/**
 * Returns the files for new pristine copies of a project: the archive, instead of the compressed copies of earlier versions.
 */
export function storePristine(tree: Tree, copies: PristineCopies): StoredCopies {
  const gone = new Set(compressedCopies(tree).map(({ stored }) => stored));
  if (copies.size === 0) return { contents: new Map(), gone: gone.add(archivePath) };
  const archive = formatArchive(copies);
  last = { bytes: Buffer.from(archive), copies: sorted(copies) };
  return { contents: new Map([[archivePath, archive]]), gone };
}

function sorted(copies: PristineCopies): PristineCopies {
  return new Map([...copies].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns pristine copies as a tree: the project without the user's changes to scaffolded files. */
export function pristineTree({ root }: Tree, copies: PristineCopies): Tree {
  const readText = (path: string) => copies.get(path);
  const read = (path: string) => {
    const text = readText(path);
    return text === undefined ? undefined : Buffer.from(text);
  };
  return { root, read, readText };
}
