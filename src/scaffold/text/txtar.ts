/** A file of a text archive. */
export interface TxtarFile {
  readonly path: string;
  readonly text: string;
}

/** A text archive: files after a comment. */
export interface Txtar {
  readonly comment: string;
  readonly files: readonly TxtarFile[];
}

/** Explains the escapes of {@link formatTxtar} to readers of an archive. */
export const escapesOfTxtar = `Before a line of a file, "\\" is added if the line begins with "-- " or "\\".
"\\r " before a line means that it ends with a carriage return.
"\\ No newline at end of file" means that the file ends without a line break.
`;

const returnMark = "\\r ";
const noNewline = "\\ No newline at end of file\n";

/**
 * Returns the text of an archive in Go's txtar format. That format can't contain lines that look like the beginning of a
 * file, or files that end without a line break, so such lines are escaped. The archive contains no carriage returns before
 * line breaks, so that git can convert its line breaks.
 */
export function formatTxtar({ comment, files }: Txtar): string {
  return comment + files.map(({ path, text }) => `-- ${path} --\n${escaped(text)}`).join("");
}

/**
 * Parses an archive. The comment and the texts of files can be anything; a line that begins with `-- ` and doesn't end with
 * ` --` is part of the text around it.
 *
 * @param mostFiles the maximum number of files
 * @returns undefined if there are more files
 */
export function parseTxtar(archive: string, mostFiles: number): Txtar | undefined {
  const text = archive.includes("\r\n") ? archive.replaceAll("\r\n", "\n") : archive;
  let marker = markerFrom(text, 0);
  const comment = text.slice(0, marker?.start ?? text.length);
  const files: TxtarFile[] = [];
  while (marker !== undefined) {
    if (files.length === mostFiles) return undefined;
    const next = markerFrom(text, marker.end);
    files.push({ path: marker.path, text: unescaped(text.slice(marker.end, next?.start ?? text.length)) });
    marker = next;
  }
  return { comment, files };
}

interface Marker {
  readonly path: string;
  readonly start: number;
  /** The index after the line, at which the text begins. */
  readonly end: number;
}

/** Finds the first line `-- path --` at or after the beginning of a line. */
function markerFrom(text: string, from: number): Marker | undefined {
  let start = from;
  while (true) {
    if (!text.startsWith("-- ", start)) {
      const before = text.indexOf("\n-- ", start);
      if (before < 0) return undefined;
      start = before + 1;
    }
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline + 1;
    const line = text.slice(start, newline < 0 ? undefined : newline);
    if (line.length > "--  --".length && line.endsWith(" --")) return { path: line.slice(3, -3), start, end };
    start = end;
  }
}

function escaped(text: string): string {
  if (text === "") return "";
  const ends = text.endsWith("\n");
  const whole = ends ? text : `${text}\n`;
  // Most texts have nothing to escape, and a project has thousands of them.
  const plain = !/(?:^|\n)(?:-- |\\)/.test(whole) && !whole.includes("\r\n");
  const lines = plain ? whole : whole.replace(/(?<![^\n])([^\n]*)\n/g, (_, line: string) => `${escapedLine(line)}\n`);
  return ends ? lines : lines + noNewline;
}

function escapedLine(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") end--;
  const rest = line.slice(0, end);
  return returnMark.repeat(line.length - end) + (rest.startsWith("-- ") || rest.startsWith("\\") ? `\\${rest}` : rest);
}

function unescaped(text: string): string {
  if (!text.startsWith("\\") && !text.includes("\n\\")) return text;
  const unfinished = text.endsWith(`\n${noNewline}`);
  const lines = unescapedLines(Buffer.from(unfinished ? text.slice(0, -noNewline.length) : text));
  return (unfinished ? lines.subarray(0, -1) : lines).toString("utf8");
}

const [backslash, letterR, space, newline, carriageReturn] = Buffer.from("\\r \n\r") as unknown as number[];

/** Works on bytes and in place, because an archive can have millions of lines. */
function unescapedLines(bytes: Buffer): Buffer {
  // Each escape is longer than what it stands for, so bytes are written only after they are read.
  let [length, at] = [0, 0];
  while (at < bytes.length) {
    let returns = 0;
    for (; bytes[at] === backslash && bytes[at + 1] === letterR && bytes[at + 2] === space; at += 3) returns++;
    if (bytes[at] === backslash) at++;
    for (; at < bytes.length && bytes[at] !== newline; at++) bytes[length++] = bytes[at] ?? 0;
    for (; returns > 0; returns--) bytes[length++] = carriageReturn ?? 0;
    if (at < bytes.length) bytes[length++] = bytes[at++] ?? 0;
  }
  return bytes.subarray(0, length);
}
