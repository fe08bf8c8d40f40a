import { editDistance } from "../../diagnostics/did-you-mean.ts";
import { ProblemError } from "../../project/problem-error.ts";
import { isCode } from "../format/format.ts";
import { findCode } from "../format/same-code.ts";

/** Lines to insert into a file, above the comment `+kubebuilder:scaffold:<anchor>`. */
export interface Insertion {
  readonly anchor: string;
  readonly lines: readonly string[];
}

/** The parts of an error about a missing anchor. */
export interface InsertionContext {
  /**
   * The text of the user's file.
   *
   * @defaultValue the text to change
   */
  readonly onDisk?: string | undefined;
  /**
   * All lines of the command above the anchor.
   *
   * @defaultValue the lines to insert
   */
  readonly byHand?: readonly string[];
}

const anchorLine = /^([ \t]*)(?:\/\/|#)[ \t]*\+kubebuilder:scaffold:([A-Za-z0-9_-]+)[ \t]*$/;

/**
 * Inserts lines above an anchor, with the anchor's indentation. Lines that exist already, in this order and with any
 * whitespace, aren't inserted again, nor is code in any format. Preserves the file's line breaks.
 *
 * @param context the parts of an error: the text of the user, to which its line number refers, and all lines to add by hand
 * @throws ProblemError if the anchor is missing or misspelled; the hint shows the lines to add by hand
 */
export function insertAtAnchor(
  text: string,
  file: string,
  insertion: Insertion,
  context: InsertionContext = {},
): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  if (indexOfLines(lines, insertion.lines) >= 0 || codeAt(text, insertion.lines, file) !== undefined) return text;
  const index = lines.findIndex((line) => anchorLine.exec(line)?.[2] === insertion.anchor);
  if (index < 0) {
    const byHand = { ...insertion, lines: context.byHand ?? insertion.lines };
    throw missingAnchor(context.onDisk ?? text, file, byHand);
  }
  const indent = anchorLine.exec(lines[index] ?? "")?.[1] ?? "";
  const added = insertion.lines.map((line) => (line === "" ? "" : indent + line));
  return [...lines.slice(0, index), ...added, ...lines.slice(index)].join(eol);
}

/**
 * Removes lines that were inserted above an anchor, regardless of whitespace, or of the format of code.
 *
 * @param file the path of the text, whose extension determines whether it is code
 * @returns undefined if the lines were changed
 */
export function removeInsertion(text: string, added: readonly string[], file = ""): string | undefined {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  const at = indexOfLines(lines, added);
  if (at >= 0) return [...lines.slice(0, at), ...lines.slice(at + added.length)].join(eol);
  const code = codeAt(text, added, file);
  if (code === undefined) return undefined;
  // An empty line at the end of the insertion belongs to it.
  const [after = ""] = (added.at(-1) === "" ? /^\r?\n(?:[ \t]*\r?\n)?/ : /^\r?\n/).exec(text.slice(code.end)) ?? [];
  return text.slice(0, code.start) + text.slice(code.end + after.length);
}

function codeAt(text: string, lines: readonly string[], file: string): ReturnType<typeof findCode> {
  return isCode(file) ? findCode(text, lines.join("\n")) : undefined;
}

const squeeze = (line: string): string => line.replace(/\s+/g, " ").trim();

/** Returns the index of consecutive lines, regardless of whitespace, or -1. */
function indexOfLines(lines: readonly string[], wanted: readonly string[]): number {
  const have = lines.map(squeeze);
  const want = wanted.map(squeeze);
  return have.findIndex((_, start) => want.every((line, offset) => have[start + offset] === line));
}

function missingAnchor(text: string, file: string, insertion: Insertion): ProblemError {
  const comment = /\.ya?ml$/.test(file) ? "#" : "//";
  const anchor = `${comment} +kubebuilder:scaffold:${insertion.anchor}`;
  const seen = nearAnchor(text, insertion.anchor);
  return new ProblemError(
    "missing-anchor",
    `${file} has no line "${anchor}"${seen}; nothing was changed`,
    `restore the anchor and run the command again, which then adds these lines above it:\n${insertion.lines.map((line) => `    ${line}`).join("\n")}`,
  );
}

/** Returns the names of a text's anchors, in order. */
export function anchorsOf(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => anchorLine.exec(line)?.[2] ?? []);
}

/** Returns a note on the line that may be a misspelled anchor, to append to a sentence; empty if there is none. */
export function nearAnchor(text: string, anchor: string): string {
  const lines = text.split(/\r?\n/);
  const distances = lines.map((line) => anchorDistance(line, anchor));
  const least = Math.min(...distances);
  if (least > mostEdits) return "";
  const near = distances.indexOf(least);
  return ` (line ${near + 1} looks like it: ${JSON.stringify((lines[near] ?? "").trim())})`;
}

/** Maximum number of edits in a misspelled anchor. Different anchors of the templates have more. */
const mostEdits = 2;

/** Returns the number of edits between a comment and an anchor, regardless of case, whitespace and punctuation. */
function anchorDistance(line: string, anchor: string): number {
  if (!/^\s*(\/\/|#)/.test(line)) return Number.POSITIVE_INFINITY;
  const comment = letters(line);
  const name = `scaffold${letters(anchor)}`;
  if (comment.includes(name)) return 0;
  return Math.min(...[name, `kubebuilder${name}`].map((wanted) => editDistance(comment, wanted, mostEdits)));
}

const letters = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, "");
