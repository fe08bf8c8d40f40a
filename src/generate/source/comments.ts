import type { Position, RawComment } from "./model.ts";

/** The text of a marker, from its `+` on, and its position. */
export interface MarkerLine extends Position {
  readonly text: string;
}

/** Comments without an empty line between them. */
export interface CommentGroup {
  readonly comments: readonly RawComment[];
  readonly line: number;
  readonly endLine: number;
}

/** Splits comments into groups at empty lines. */
export function groupComments(comments: readonly RawComment[]): CommentGroup[] {
  const groups: RawComment[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const comment of comments) {
    if (comment.at.line - end > 1) groups.push([]);
    groups.at(-1)?.push(comment);
    end = comment.endLine;
  }
  return groups.map((group) => ({
    comments: group,
    line: group[0]?.at.line ?? 0,
    endLine: group.at(-1)?.endLine ?? 0,
  }));
}

/** One line of a comment: the text after `//`, or after the asterisk. */
export interface TextLine extends Position {
  readonly text: string;
}

/** Returns the lines of a `//` or JSDoc comment; none for a plain block comment. Keeps the indentation of the text. */
export function textLines(comment: RawComment): TextLine[] {
  return comment.kind === "block" ? [] : allLines(comment);
}

function allLines(comment: RawComment): TextLine[] {
  const { file, line, column } = comment.at;
  if (comment.kind === "line") return [{ text: comment.text.slice(2), file, line, column: column + 2 }];
  const opening = comment.kind === "block" ? 2 : 3;
  // Some styles close a comment with more asterisks than one.
  const inner = comment.text.slice(opening, -2).replace(/(?<=^|\s)\*+$/, "");
  const body = inner.split(/\r\n|\r|\n/);
  return body.map((raw, index) => {
    const decoration = index === 0 ? 0 : (/^\s*\*?/.exec(raw)?.[0].length ?? 0);
    const start = index === 0 ? column + opening : 1;
    return { text: raw.slice(decoration), file, line: line + index, column: start + decoration };
  });
}

/** Returns the marker on a line, if the text begins with a `+`. */
export function markerOn(line: TextLine): MarkerLine | undefined {
  const text = line.text.trim();
  if (!text.startsWith("+")) return undefined;
  const indent = line.text.length - line.text.trimStart().length;
  return { ...line, text, column: line.column + indent };
}

/** Returns all markers in some comments, in source order. */
export function markersIn(comments: readonly RawComment[]): MarkerLine[] {
  return comments.flatMap((comment) => textLines(comment).flatMap((line) => markerOn(line) ?? []));
}

/** The positions of comments that have no effect, although a reader could expect one. */
export type UnreadPlace = "trailing" | "inside";

/** A node with its comments, by position. */
export interface Commented {
  readonly leading: readonly RawComment[];
  readonly trailing?: readonly RawComment[];
  readonly inside?: readonly RawComment[];
}

/**
 * Returns the markers in comments that have no effect: after the declaration, and in braces without a property below. Plain
 * block comments above a declaration are never read, so that they can contain anything.
 */
export function unreadMarkers({
  trailing = [],
  inside = [],
}: Commented): { readonly line: MarkerLine; readonly place: UnreadPlace }[] {
  const unread = (comments: readonly RawComment[], place: UnreadPlace) =>
    comments.flatMap((comment) =>
      allLines(comment)
        .flatMap((textLine) => markerOn(textLine) ?? [])
        .map((line) => ({ line, place })),
    );
  return [...unread(inside, "inside"), ...unread(trailing, "trailing")];
}

/**
 * Returns the description of a node: its JSDoc without block tags, or the `//` lines directly above it. Includes lines with
 * markers. Returns undefined without such a comment.
 */
export function describingLines(groups: readonly CommentGroup[], nodeLine: number): string[] | undefined {
  const jsdoc = groups.flatMap((group) => group.comments).findLast((comment) => comment.kind === "jsdoc");
  if (jsdoc) return withoutBlockTags(textLines(jsdoc).map((line) => line.text));
  const nearest = groups.at(-1);
  if (!nearest || nodeLine - nearest.endLine > 1) return undefined;
  const plain = nearest.comments.findLastIndex((comment) => comment.kind === "block");
  return nearest.comments.slice(plain + 1).flatMap((comment) => textLines(comment).map((line) => line.text));
}

/** Drops all lines from the first one that begins with `@`; the markers in them are read separately. */
function withoutBlockTags(lines: readonly string[]): string[] {
  const tag = lines.findIndex((line) => line.trimStart().startsWith("@"));
  return tag < 0 ? [...lines] : lines.slice(0, tag);
}
