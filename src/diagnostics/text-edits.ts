import type { TextEdit } from "./diagnostic.ts";

/** The line breaks of TypeScript, by which diagnostics count lines. */
const lineBreak = /\r\n|[\n\r\u2028\u2029]/g;

/**
 * Applies edits to the text of a file. All other characters stay as they are. Of edits that overlap, only the first is applied.
 *
 * @param text - the text
 * @param edits - the edits of this file, in any order
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const starts = [0, ...[...text.matchAll(lineBreak)].map((match) => match.index + match[0].length)];
  const offset = (line: number, column: number): number => (starts[line - 1] ?? text.length) + column - 1;
  const places = edits
    .map((edit) => ({
      start: offset(edit.line, edit.column),
      end: offset(edit.endLine, edit.endColumn),
      text: edit.text,
    }))
    .sort((one, other) => one.start - other.start || one.end - other.end);
  let result = "";
  let at = 0;
  let last = -1;
  for (const { start, end, text: inserted } of places) {
    if (start < at || start === last) continue;
    result += text.slice(at, start) + inserted;
    at = end;
    last = start;
  }
  return result + text.slice(at);
}
