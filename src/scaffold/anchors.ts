import { ScaffoldError } from "./scaffold-error.ts";

/** Where lines are to be put into a file: above the comment `+kubebuilder:scaffold:<anchor>`. */
export interface Insertion {
  readonly anchor: string;
  readonly lines: readonly string[];
}

const anchorLine = /^([ \t]*)(?:\/\/|#)[ \t]*\+kubebuilder:scaffold:([A-Za-z0-9_-]+)[ \t]*$/;

/**
 * Puts lines above an anchor, indented as it is. Lines that are there already, in this order and whatever their blanks,
 * are not put in again. The file's line breaks are kept.
 *
 * @throws ScaffoldError when the anchor is missing or misspelt; the hint shows the lines to add by hand
 */
export function insertAtAnchor(text: string, file: string, insertion: Insertion): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  if (indexOfLines(lines, insertion.lines) >= 0) return text;
  const index = lines.findIndex((line) => anchorLine.exec(line)?.[2] === insertion.anchor);
  if (index < 0) throw missingAnchor(lines, file, insertion);
  const indent = anchorLine.exec(lines[index] ?? "")?.[1] ?? "";
  const added = insertion.lines.map((line) => (line === "" ? "" : indent + line));
  return [...lines.slice(0, index), ...added, ...lines.slice(index)].join(eol);
}

/** Takes lines out again that were put above an anchor, whatever their blanks. Undefined where they no longer stand as they were. */
export function removeInsertion(text: string, added: readonly string[]): string | undefined {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  const at = indexOfLines(lines, added);
  return at < 0 ? undefined : [...lines.slice(0, at), ...lines.slice(at + added.length)].join(eol);
}

const squeeze = (line: string): string => line.replace(/\s+/g, " ").trim();

/** Where lines stand one after another, whatever their blanks; -1 where they don't. */
function indexOfLines(lines: readonly string[], wanted: readonly string[]): number {
  const have = lines.map(squeeze);
  const want = wanted.map(squeeze);
  return have.findIndex((_, start) => want.every((line, offset) => have[start + offset] === line));
}

function missingAnchor(lines: readonly string[], file: string, insertion: Insertion): ScaffoldError {
  const comment = /\.ya?ml$/.test(file) ? "#" : "//";
  const anchor = `${comment} +kubebuilder:scaffold:${insertion.anchor}`;
  const seen = nearAnchor(lines.join("\n"), insertion.anchor);
  return new ScaffoldError(
    "missing-anchor",
    `${file} has no line "${anchor}"${seen}; nothing was changed`,
    `restore the anchor and run the command again, which then adds these lines above it:\n${insertion.lines.map((line) => `    ${line}`).join("\n")}`,
  );
}

/** The anchors of a text, by name, in their order. */
export function anchorsOf(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => anchorLine.exec(line)?.[2] ?? []);
}

/** Where a text has something that was perhaps meant to be the anchor, as the end of a sentence; else empty. */
export function nearAnchor(text: string, anchor: string): string {
  const lines = text.split(/\r?\n/);
  const near = lines.findIndex((line) => looksLike(line, anchor));
  return near < 0 ? "" : ` (line ${near + 1} looks like it: ${JSON.stringify((lines[near] ?? "").trim())})`;
}

/** A comment that speaks of scaffolding and this anchor, with blanks, cases or a letter gone wrong. */
function looksLike(line: string, anchor: string): boolean {
  if (!/^\s*(\/\/|#)/.test(line)) return false;
  const plain = line.toLowerCase().replace(/[^a-z]/g, "");
  const own = anchor.toLowerCase().replace(/[^a-z]/g, "");
  return (
    (plain.includes("kubebuilder") && plain.includes(own)) ||
    (plain.includes("scaffold") && plain.slice(-own.length - 2).includes(own.slice(0, 4)))
  );
}
