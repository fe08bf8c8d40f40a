// Reads comments according to the authoring contract. Shares no code with the translator.
import ts from "typescript";

/** The comments before a declaration. */
export interface Comments {
  /** The lines of its description, with markers in between. */
  readonly lines: readonly string[];
  /** The markers of all comments. */
  readonly markers: readonly string[];
}

export const isMarker = (line: string): boolean => line.trim().startsWith("+");

/** Returns the comments before a node. Its description is its last JSDoc comment, or else the `//` lines directly above it. */
export function commentsOf(source: ts.SourceFile, node: ts.Node): Comments {
  const { text } = source;
  const ranges = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
  const comments = ranges.map(({ pos, end }) => ({ pos, end, text: text.slice(pos, end) }));
  const all = comments.flatMap((comment) => linesOf(comment.text));
  const markers = all.filter(isMarker).map((line) => line.trim());
  const jsdoc = comments.findLast((comment) => comment.text.startsWith("/**"));
  if (jsdoc) return { lines: linesOf(jsdoc.text), markers };
  const lines: string[] = [];
  let below = node.getStart(source);
  for (const { pos, end, text: comment } of comments.toReversed()) {
    // Up to the first empty line.
    if (text.slice(end, below).split("\n").length > 2) break;
    lines.unshift(...linesOf(comment));
    below = pos;
  }
  return { lines, markers };
}

/** Returns the lines of a comment without its delimiters and margin. */
function linesOf(comment: string): string[] {
  if (comment.startsWith("//")) return [comment.slice(2).replace(/^ /, "").trimEnd()];
  return comment
    .replace(/^\/\*+/, "")
    .replace(/\*\/$/, "")
    .split("\n")
    .map((line, index) => line.replace(index === 0 ? /^ / : /^\s*\* ?/, "").trimEnd());
}
