import { findCode } from "../format/same-code.ts";

/**
 * Maximum number of characters in a line with a list that the user's names make longer: that of the scaffolded biome.json. The
 * project's formatter lays out everything else, but isn't installed when `init` runs.
 */
export const lineWidth = 120;

/** A replacement of the text from `start` to `end`, which are positions before any edit. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the text with all edits applied. Edits must not overlap; several at one position keep their order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const sorted = edits
    .map((edit, index) => ({ ...edit, index }))
    .sort((a, b) => a.start - b.start || a.index - b.index);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  let result = "";
  let at = 0;
  for (const edit of sorted) {
    result += text.slice(at, edit.start) + edit.text.replace(/\r?\n/g, eol);
    at = edit.end;
  }
  return result + text.slice(at);
}

/** Returns the indentation of the line that contains a position. */
export function indentAt(text: string, position: number): string {
  const start = text.lastIndexOf("\n", position - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? "";
}

/** Returns the edit that appends lines to a file, after an empty line. */
export function appendBlock(text: string, block: string): Edit {
  const end = text.trimEnd().length;
  return { start: end, end: text.length, text: `\n\n${block.trimEnd()}\n` };
}

/** Removes a block from a text, in any format, if it is unchanged. */
export function removeBlock(text: string, block: string): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const wanted = block.trim().replace(/\r?\n/g, eol);
  const exact = text.indexOf(wanted);
  const found = exact < 0 ? findCode(text, wanted) : { start: exact, end: exact + wanted.length };
  if (found === undefined) return text;
  const head = text.slice(0, found.start).trimEnd();
  const tail = text.slice(found.end).trimStart();
  return tail === "" ? `${head}${eol}` : `${head}${eol}${eol}${tail}`;
}
