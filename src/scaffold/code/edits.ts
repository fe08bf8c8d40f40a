/** Text that takes the place of what stands from `start` to `end`, positions of the text before any edit. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with all edits made. Edits must not overlap; several at one place keep their order. */
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

/** The blanks that the line of a position begins with. */
export function indentAt(text: string, position: number): string {
  const start = text.lastIndexOf("\n", position - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? "";
}

/** Appends lines to a file, with an empty line in front of them. */
export function appendBlock(text: string, block: string): Edit {
  const end = text.trimEnd().length;
  return { start: end, end: text.length, text: `\n\n${block.trimEnd()}\n` };
}

/** The text without a block that stands in it as it was added; a block that was changed stays. */
export function removeBlock(text: string, block: string): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const wanted = block.trim().replace(/\r?\n/g, eol);
  const at = text.indexOf(wanted);
  if (at < 0) return text;
  const head = text.slice(0, at).trimEnd();
  const tail = text.slice(at + wanted.length).trimStart();
  return tail === "" ? `${head}${eol}` : `${head}${eol}${eol}${tail}`;
}
