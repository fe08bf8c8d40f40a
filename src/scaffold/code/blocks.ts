import { findCode } from "../format/same-code.ts";

/** Appends lines to a file, after an empty line. */
export function appendBlock(text: string, block: string): string {
  return `${text.trimEnd()}\n\n${block.trimEnd()}\n`.replace(/\r?\n/g, lineBreakOf(text));
}

/** Removes a block from a text, in any format, if it is unchanged. */
export function removeBlock(text: string, block: string): string {
  const eol = lineBreakOf(text);
  const wanted = block.trim().replace(/\r?\n/g, eol);
  const exact = text.indexOf(wanted);
  const range = exact < 0 ? findCode(text, wanted) : { start: exact, end: exact + wanted.length };
  if (range === undefined) return text;
  const head = text.slice(0, range.start).trimEnd();
  const tail = text.slice(range.end).trimStart();
  return tail === "" ? `${head}${eol}` : `${head}${eol}${eol}${tail}`;
}

function lineBreakOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
