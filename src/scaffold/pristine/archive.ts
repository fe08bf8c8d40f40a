import { createHash } from "node:crypto";
import { win32 } from "node:path";
import { ProblemError } from "../../project/problem-error.ts";
import { byBytes } from "../../text/byte-order.ts";
import { partsInside } from "../files/inside.ts";
import { escapesOfTxtar, formatTxtar, parseTxtar, type TxtarFile } from "../text/txtar.ts";

/** Maximum number of files in an archive: a project with two hundred kinds has 3,000. */
const mostFiles = 20_000;

/**
 * Formats texts as an archive, sorted by path. The comment ends with a digest of each text, because a merge of two branches
 * can mix the lines of different files.
 *
 * @param about - the first lines
 * @param texts - the texts by path
 */
export function formatArchive(about: string, texts: ReadonlyMap<string, string>): string {
  const files = [...texts].map(([path, text]) => ({ path, text })).sort((a, b) => byBytes(a.path, b.path));
  const digests = files.map(({ path, text }) => `${digestOf(text)} ${path}\n`).join("");
  const comment = `${about}\n${escapesOfTxtar}\nThe beginning of the SHA-256 digest of each file:\n\n${digests}\n`;
  return formatTxtar({ comment, files });
}

/**
 * Parses an archive.
 *
 * @param name - its path, for messages
 * @param hint - the way to restore it
 * @returns the texts by path, in the order of the archive
 * @throws ProblemError if the archive is the result of a merge, if a text doesn't match its digest, if a path leaves the
 * project, or if there are too many files
 */
export function parseArchive(archive: string, name: string, hint: string): Map<string, string> {
  const damaged = (reason: string) => new ProblemError("damaged-archive", `${name} can't be read: ${reason}`, hint);
  const contents = contentsOf(archive);
  if (contents === undefined) throw damaged(`it contains more than ${mostFiles} files`);
  const { files, digests } = contents;
  const texts = new Map<string, string>();
  for (const { path, text } of files) {
    if (!isPlain(path)) throw damaged(`${JSON.stringify(path)} isn't a path in a project`);
    if (texts.has(path)) throw damaged(`it is the result of a merge, and contains ${path} twice`);
    texts.set(path, text);
  }
  for (const [path, { size }] of digests) {
    if (size > 1) throw damaged(`it is the result of a merge, and contains two digests of ${path}`);
    if (!texts.has(path)) throw damaged(`it contains a digest of ${path}, but no text`);
  }
  for (const [path, text] of texts) {
    if (digests.get(path)?.has(digestOf(text)) !== true) throw damaged(`the text of ${path} doesn't match its digest`);
  }
  if (texts.size === 0) throw damaged("it contains no files");
  return texts;
}

/** The texts in an archive that may be the result of a merge. */
export interface IntactTexts {
  /** The texts that match a digest, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** The paths that have a digest. */
  readonly paths: ReadonlySet<string>;
}

/** Returns the undamaged texts in an archive that may be the result of a merge. */
export function intactTexts(archive: string): IntactTexts {
  const { files, digests } = contentsOf(archive) ?? { files: [], digests: new Map<string, Set<string>>() };
  const texts = new Map<string, string>();
  const unclear = new Set<string>();
  for (const { path, text } of files) {
    if (!isPlain(path) || digests.get(path)?.has(digestOf(text)) !== true) continue;
    if ((texts.get(path) ?? text) !== text) unclear.add(path);
    texts.set(path, text);
  }
  for (const path of unclear) texts.delete(path);
  return { texts, paths: new Set(digests.keys()) };
}

interface Contents {
  readonly files: readonly TxtarFile[];
  /** The different digests of each path in the comment. */
  readonly digests: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Returns undefined for too many files. */
function contentsOf(archive: string): Contents | undefined {
  const parsed = parseTxtar(archive, mostFiles);
  if (parsed === undefined) return undefined;
  const digests = new Map<string, Set<string>>();
  for (const [, digest = "", path = ""] of parsed.comment.matchAll(/(?<=^|\n)([0-9a-f]{16}) ([^\n]+)/g)) {
    digests.set(path, (digests.get(path) ?? new Set()).add(digest));
  }
  return { files: parsed.files, digests };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Whether a path is in a project on every system, has no control characters, and isn't git's. */
function isPlain(path: string): boolean {
  const parts = partsInside(path, win32);
  return parts !== undefined && !/\p{Cc}|^\s|\s$/u.test(path) && parts[0]?.toLowerCase() !== ".git";
}
