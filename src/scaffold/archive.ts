import { byBytes } from "../text/byte-order.ts";
import { ScaffoldError } from "./scaffold-error.ts";

/** Maximum number of files in an archive: a project with two hundred kinds has 3,000. */
const mostFiles = 20_000;

const markerLine = /^-- (.*) --$/;
/** Lines that would have a meaning in the archive; a backslash before them removes it. */
const special = /^\\*-- |^\\+ No newline at end of file$/;
const escaped = /^\\+-- |^\\\\+ No newline at end of file$/;
const withoutLineBreak = "\\ No newline at end of file";
/** Markers that git leaves where it couldn't merge, without `merge=union`. */
const conflictLine = /^(?:<<<<<<<|>>>>>>>) /;

/**
 * Formats texts as an archive in Go's txtar format, sorted by path. Two rules make any text possible: a line that begins
 * with `-- ` gets a backslash before it, and a line `\ No newline at end of file` follows a text without a last line break.
 *
 * @param comment - the lines at the beginning
 * @param texts - the texts by path
 */
export function formatArchive(comment: string, texts: ReadonlyMap<string, string>): string {
  const files = [...texts].sort(([a], [b]) => byBytes(a, b));
  return comment + files.map(([path, text]) => `-- ${path} --\n${linesOf(text)}`).join("");
}

function linesOf(text: string): string {
  if (text === "") return "";
  const isWhole = text.endsWith("\n");
  const lines = (isWhole ? text.slice(0, -1) : text)
    .split("\n")
    .map((line) => (special.test(line) ? `\\${line}` : line));
  return `${[...lines, ...(isWhole ? [] : [withoutLineBreak])].join("\n")}\n`;
}

/**
 * Parses an archive.
 *
 * @param name - its path, for messages
 * @param hint - the way to restore it
 * @returns the texts by path, in the order of the archive
 * @throws ScaffoldError if two different texts have the same path, if a path leaves the project, or if the archive contains
 * conflict markers or too many files
 */
export function parseArchive(archive: string, name: string, hint: string): Map<string, string> {
  const damaged = (reason: string) => new ScaffoldError("damaged-archive", `${name} can't be read: ${reason}`, hint);
  const texts = new Map<string, string>();
  for (const { path, lines } of entriesOf(archive)) {
    if (!isPlain(path)) throw damaged(`${JSON.stringify(path)} isn't a path in a project`);
    if (lines.some((line) => conflictLine.test(line))) throw damaged("it contains conflict markers");
    const text = textOf(lines);
    if ((texts.get(path) ?? text) !== text) throw damaged(`it contains ${path} twice, as after a merge of branches`);
    texts.set(path, text);
    if (texts.size > mostFiles) throw damaged(`it contains more than ${mostFiles} files`);
  }
  return texts;
}

/** Returns the texts that a damaged archive contains once and without conflict markers. */
export function intactTexts(archive: string): Map<string, string> {
  const texts = new Map<string, string>();
  const unclear = new Set<string>();
  for (const { path, lines } of entriesOf(archive)) {
    const text = textOf(lines);
    if (!isPlain(path) || lines.some((line) => conflictLine.test(line)) || (texts.get(path) ?? text) !== text) {
      unclear.add(path);
    }
    texts.set(path, text);
  }
  for (const path of unclear) texts.delete(path);
  return texts;
}

function entriesOf(archive: string): { readonly path: string; readonly lines: string[] }[] {
  const entries: { readonly path: string; readonly lines: string[] }[] = [];
  // Git may check the archive out with the line breaks of Windows.
  const isWindows = /^[^\n]*\r\n/.test(archive);
  const lines = (isWindows ? archive.replaceAll("\r\n", "\n") : archive).split("\n");
  // The last line break isn't followed by a line.
  if (lines.at(-1) === "") lines.pop();
  for (const line of lines) {
    const [, path] = markerLine.exec(line) ?? [];
    if (path !== undefined) entries.push({ path, lines: [] });
    else entries.at(-1)?.lines.push(line);
  }
  return entries;
}

function textOf(lines: readonly string[]): string {
  const isWhole = lines.at(-1) !== withoutLineBreak;
  const own = (isWhole ? lines : lines.slice(0, -1)).map((line) => (escaped.test(line) ? line.slice(1) : line));
  return own.length === 0 ? "" : `${own.join("\n")}${isWhole ? "\n" : ""}`;
}

/** Whether a path is relative to the project, without control characters, and not of git. */
function isPlain(path: string): boolean {
  const parts = path.split("/");
  return (
    !/[\\\p{Cc}]/u.test(path) &&
    !/^[A-Za-z]:/.test(path) &&
    parts.every((part) => part !== "" && part !== "." && part !== "..") &&
    parts[0]?.toLowerCase() !== ".git"
  );
}
