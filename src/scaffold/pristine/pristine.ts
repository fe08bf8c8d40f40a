import { gunzipSync } from "node:zlib";
import { ProblemError } from "../../project/problem-error.ts";
import { filesBelow } from "../files/files-below.ts";
import type { Tree } from "../files/tree.ts";
import { formatArchive, type IntactTexts, intactTexts, parseArchive } from "./archive.ts";

/** The archive of pristine copies: the scaffolded files as they were rendered. */
export const pristinePath = ".kubewright/pristine.txtar";

const about = `The scaffolded files as they were rendered. "scaffold upgrade" and "scaffold delete" compare your files with them.
Don't edit this file. After a merge of branches, run: npx scaffold upgrade --rebase

A line "-- path --" begins a file (txtar format).
`;
const restore = "run npx scaffold upgrade --rebase, which creates it again, or restore it from version control";

/** The directories of the copies in earlier versions, one compressed file per file, and the beginning of the files' paths. */
const oldDirectories = [
  { directory: ".kubewright/pristine", begin: "" },
  { directory: ".kubewright/chart", begin: "chart/" },
] as const;
/** Maximum size of an unpacked old copy in bytes: the largest, with types of the largest CRD, has 2 MiB. */
const largestCopy = 8 * 1024 * 1024;
/** Maximum size of all old copies in bytes: a project with two hundred kinds has 10 MiB. */
const largestSum = 256 * 1024 * 1024;
/** Maximum number of old copies. */
const mostCopies = 20_000;

interface Read {
  readonly archive: Buffer | undefined;
  readonly texts: ReadonlyMap<string, string>;
}

const readers = new WeakMap<Tree, Read>();
/** The archive formatted last: each step of a replay begins with it. Without this, a replay of 200 kinds takes a quarter longer. */
let latest: Read | undefined;

/**
 * Returns the texts that were scaffolded, by path, in order.
 *
 * @throws ProblemError if the archive is damaged or too large
 */
export function pristineTexts(tree: Tree): ReadonlyMap<string, string> {
  const archive = tree.read(pristinePath);
  const before = readers.get(tree);
  if (before !== undefined && (archive === before.archive || (archive && before.archive?.equals(archive)))) {
    return before.texts;
  }
  if (archive !== undefined && latest?.archive?.equals(archive)) return latest.texts;
  const texts = archive === undefined ? oldTexts(tree) : parseArchive(archive.toString("utf8"), pristinePath, restore);
  readers.set(tree, { archive, texts });
  return texts;
}

/** Returns the text that was scaffolded for a file, or undefined without a copy. */
export function readPristine(tree: Tree, path: string): string | undefined {
  return pristineTexts(tree).get(path);
}

/** Whether a file belongs to a Helm chart, which is rendered from config/ instead of templates, or publishes it. */
export function isOfChart(path: string): boolean {
  return /^chart(-crds)?\//.test(path) || path === ".github/workflows/release-chart.yml";
}

/** Changes of a project's files. */
export interface FileChanges {
  readonly contents: ReadonlyMap<string, string>;
  readonly gone: ReadonlySet<string>;
}

/**
 * Returns the changes of the archive for changed copies. They also remove the copies of earlier versions.
 *
 * @param texts - new and changed copies, by path
 * @param gone - paths whose copies are removed, unless they are also in `texts`
 */
export function changePristine(
  tree: Tree,
  texts: ReadonlyMap<string, string>,
  gone: Iterable<string> = [],
): FileChanges {
  const before = pristineTexts(tree);
  const after = new Map(before);
  for (const path of gone) after.delete(path);
  for (const [path, text] of texts) after.set(path, text);
  return before.size === 0 && after.size === 0
    ? { contents: new Map(), gone: new Set() }
    : replacePristine(tree, after);
}

/** Returns the changes that replace all copies, including those of earlier versions. */
export function replacePristine(tree: Tree, texts: ReadonlyMap<string, string>): FileChanges {
  const gone = new Set(oldCopies(tree).map(({ copy }) => copy));
  if (texts.size === 0) return { contents: new Map(), gone: gone.add(pristinePath) };
  const archive = formatArchive(about, texts);
  latest = { archive: Buffer.from(archive), texts };
  return { contents: new Map([[pristinePath, archive]]), gone };
}

/** Returns the undamaged copies of a project whose archive may be the result of a merge. */
export function intactPristine(tree: Tree): IntactTexts {
  const archive = tree.readText(pristinePath);
  if (archive !== undefined) return intactTexts(archive);
  const texts = oldTexts(tree);
  return { texts, paths: new Set(texts.keys()) };
}

/** Returns the pristine copies of a project as a tree: the project without the user's changes to scaffolded files. */
export function pristineTree(tree: Tree): Tree {
  const texts = pristineTexts(tree);
  const read = (path: string) => {
    const text = texts.get(path);
    return text === undefined ? undefined : Buffer.from(text);
  };
  return { root: tree.root, read, readText: (path) => texts.get(path) };
}

/** Returns the copies of earlier versions on disk, with the paths of their files. */
function oldCopies(tree: Tree): { readonly path: string; readonly copy: string }[] {
  if (tree.root === "") return [];
  return oldDirectories.flatMap(({ directory, begin }) => {
    const copies = filesBelow(tree.root, directory).filter((path) => path.endsWith(".gz"));
    if (copies.length > mostCopies) {
      throw tooMuch(`${directory} can't be read: it has ${copies.length} files, and ${mostCopies} are allowed`);
    }
    return copies.map((copy) => ({ copy, path: `${begin}${copy.slice(directory.length + 1, -".gz".length)}` }));
  });
}

function oldTexts(tree: Tree): ReadonlyMap<string, string> {
  let sum = 0;
  const texts = new Map<string, string>();
  for (const { path, copy } of oldCopies(tree)) {
    const text = unpack(tree, copy);
    if (text === undefined) continue;
    texts.set(path, text.toString("utf8"));
    sum += text.length;
    if (sum > largestSum) {
      throw tooMuch(`.kubewright can't be read: its files unpack to more than ${largestSum / 1024 / 1024} MiB`);
    }
  }
  return texts;
}

/** Returns the content of a compressed file, or undefined if it isn't one. */
function unpack(tree: Tree, path: string): Buffer | undefined {
  const bytes = tree.read(path);
  if (bytes === undefined) return undefined;
  try {
    return gunzipSync(bytes, { maxOutputLength: largestCopy });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") return undefined;
    throw tooMuch(`${path} can't be read: it unpacks to more than ${largestCopy / 1024 / 1024} MiB`);
  }
}

function tooMuch(message: string): ProblemError {
  return new ProblemError("too-large", message, "restore .kubewright from version control");
}
