import { createHash } from "node:crypto";
import { win32 } from "node:path";
import { partsInside } from "./inside.ts";
import { ScaffoldError } from "./scaffold-error.ts";
import { escapesOfTxtar, formatTxtar, parseTxtar, type TxtarFile } from "./txtar.ts";

/** The archive with the pristine copies of a project's scaffolded files. */
export const archivePath = ".kubewright/pristine.txtar";

/** Maximum size of the archive in bytes: that of a project with two hundred kinds has 10 MiB. */
const largestArchive = 64 * 1024 * 1024;
/** Maximum number of copies in a project: one with two hundred kinds has 3,000. */
export const mostCopies = 20_000;

const comment = `The files of this project as scaffold rendered them, as a txtar archive:
https://pkg.go.dev/golang.org/x/tools/txtar

"scaffold upgrade" merges the changes of templates since then into your files.
Don't edit this archive. After a merge of two branches, rebuild it:

    npx scaffold upgrade --rebase

${escapesOfTxtar}
The beginning of the SHA-256 digest of each file:
`;

const rebuild = "rebuild it with npx scaffold upgrade --rebase";

/**
 * Returns the text of the archive with these copies: the same for the same copies, in any order.
 *
 * @throws ScaffoldError if it would be too large to read
 */
export function formatArchive(copies: ReadonlyMap<string, string>): string {
  const files = [...copies].map(([path, text]) => ({ path, text })).sort((a, b) => (a.path < b.path ? -1 : 1));
  const digests = files.map(({ path, text }) => `${digestOf(text)} ${path}\n`).join("");
  const archive = formatTxtar({ comment: `${comment}${digests}\n`, files });
  if (files.length > mostCopies) throw tooMany(archivePath);
  if (archive.length <= largestArchive && Buffer.byteLength(archive) <= largestArchive) return archive;
  throw new ScaffoldError(
    "too-large",
    `${archivePath} can't be written: it would have more than ${largestArchive / 1024 / 1024} MiB`,
  );
}

/**
 * Parses the archive.
 *
 * @returns the texts of the copies by path, sorted
 * @throws ScaffoldError if the archive is damaged, or the result of a merge
 */
export function parseArchive(archive: string): ReadonlyMap<string, string> {
  const { files, digests } = contentsOf(archive);
  const copies = new Map<string, string>();
  for (const { path, text } of files) {
    if (!isPlainPath(path)) throw broken(`${JSON.stringify(path)} isn't a path inside the project`);
    if (copies.has(path)) throw merged(`${path} is in it twice`);
    copies.set(path, text);
  }
  for (const [path, listed] of digests) {
    if (listed.size > 1) throw merged(`${path} has two digests in it`);
    if (!copies.has(path)) throw broken(`${path} has a digest, but no text`);
  }
  for (const [path, text] of copies) {
    if (digests.get(path)?.has(digestOf(text)) !== true) throw broken(`the text of ${path} doesn't match its digest`);
  }
  if (copies.size === 0) throw broken("it contains no files");
  return copies;
}

/** The copies in an archive that may be the result of a merge. */
export interface IntactCopies {
  /** The texts of the undamaged copies, by path. */
  readonly copies: ReadonlyMap<string, string>;
  /** The paths of all files that had a copy before the merge. */
  readonly paths: ReadonlySet<string>;
}

/** Returns the undamaged copies in an archive that may be the result of a merge. */
export function intactCopies(archive: string): IntactCopies {
  const { files, digests } = contentsOf(archive);
  const copies = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const { path, text } of files) {
    if (!isPlainPath(path) || digests.get(path)?.has(digestOf(text)) !== true) continue;
    if (copies.has(path) && copies.get(path) !== text) ambiguous.add(path);
    copies.set(path, text);
  }
  for (const path of ambiguous) copies.delete(path);
  return { copies, paths: new Set(digests.keys()) };
}

/** Creates the error for more copies than a project can have. */
export function tooMany(where: string): ScaffoldError {
  return new ScaffoldError(
    "too-large",
    `${where} can't be used: it has more than ${mostCopies} files`,
    "restore .kubewright from version control",
  );
}

interface Contents {
  readonly files: readonly TxtarFile[];
  /** The different digests of each path in the comment. */
  readonly digests: ReadonlyMap<string, ReadonlySet<string>>;
}

function contentsOf(archive: string): Contents {
  const parsed = parseTxtar(archive, mostCopies);
  if (parsed === undefined) throw tooMany(archivePath);
  const digests = new Map<string, Set<string>>();
  for (const [, digest = "", path = ""] of parsed.comment.matchAll(/(?<=^|\n)([0-9a-f]{16}) ([^\n]+)/g)) {
    digests.set(path, (digests.get(path) ?? new Set()).add(digest));
  }
  return { files: parsed.files, digests };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Whether a path is inside the project on every system. */
function isPlainPath(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  return partsInside(path, win32) !== undefined && !/[\u0000-\u001f\u007f]|^\s|\s$/.test(path);
}

function merged(problem: string): ScaffoldError {
  return new ScaffoldError("merged-archive", `${archivePath} is the result of a merge: ${problem}`, rebuild);
}

function broken(problem: string): ScaffoldError {
  return new ScaffoldError(
    "broken-archive",
    `${archivePath} can't be read: ${problem}`,
    `restore it from version control, or ${rebuild}`,
  );
}
