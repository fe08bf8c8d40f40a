import type { Position, RawComment } from "./model.ts";

/** A marker as written, from its `+` on, and where that stands. */
export interface MarkerLine extends Position {
  readonly text: string;
}

/** Comments without a blank line between them. */
export interface CommentGroup {
  readonly comments: readonly RawComment[];
  readonly line: number;
  readonly endLine: number;
}

/** Splits comments into groups at blank lines. */
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

/** One line of a comment without its decoration: what follows `//`, or what follows the asterisk. */
export interface TextLine extends Position {
  readonly text: string;
}

/** The lines of a `//` or JSDoc comment; none of a plain block comment. Indentation after the decoration is kept. */
export function textLines(comment: RawComment): TextLine[] {
  return comment.kind === "block" ? [] : allLines(comment);
}

function allLines(comment: RawComment): TextLine[] {
  const { file, line, column } = comment.at;
  if (comment.kind === "line") return [{ text: comment.text.slice(2), file, line, column: column + 2 }];
  const opening = comment.kind === "block" ? 2 : 3;
  const body = comment.text.slice(opening, -2).split(/\r\n|\r|\n/);
  return body.map((raw, index) => {
    const decoration = index === 0 ? 0 : (/^\s*\*?/.exec(raw)?.[0].length ?? 0);
    const start = index === 0 ? column + opening : 1;
    return { text: raw.slice(decoration), file, line: line + index, column: start + decoration };
  });
}

/** The marker on a line, if its first character is a `+`. */
export function markerOn(line: TextLine): MarkerLine | undefined {
  const text = line.text.trim();
  if (!text.startsWith("+")) return undefined;
  const indent = line.text.length - line.text.trimStart().length;
  return { ...line, text, column: line.column + indent };
}

/** All markers of some comments, in source order. */
export function markersIn(comments: readonly RawComment[]): MarkerLine[] {
  return comments.flatMap((comment) => textLines(comment).flatMap((line) => markerOn(line) ?? []));
}

/** Where comments say nothing. */
export type UnreadPlace = "block" | "trailing" | "inside";

/** Something whose comments were told apart by a reader. */
export interface Commented {
  readonly leading: readonly RawComment[];
  readonly trailing?: readonly RawComment[];
  readonly inside?: readonly RawComment[];
}

/**
 * What would be markers where comments say nothing: in plain block comments, behind what they might be about, and in braces
 * where no property follows.
 */
export function unreadMarkers({
  leading,
  trailing = [],
  inside = [],
}: Commented): { readonly line: MarkerLine; readonly place: UnreadPlace }[] {
  const found = (comments: readonly RawComment[], place: UnreadPlace) =>
    comments.flatMap((comment) =>
      allLines(comment)
        .flatMap((each) => markerOn(each) ?? [])
        .map((line) => ({ line, place })),
    );
  const blocks = leading.filter(({ kind }) => kind === "block");
  return [...found(blocks, "block"), ...found(inside, "inside"), ...found(trailing, "trailing")];
}

/**
 * The text that describes a node: its JSDoc without block tags, or the `//` lines directly above it.
 * Marker lines are still there. Undefined without such a comment.
 */
export function describingLines(groups: readonly CommentGroup[], nodeLine: number): string[] | undefined {
  const jsdoc = groups.flatMap((group) => group.comments).findLast((comment) => comment.kind === "jsdoc");
  if (jsdoc) return withoutBlockTags(textLines(jsdoc).map((line) => line.text));
  const nearest = groups.at(-1);
  if (!nearest || nodeLine - nearest.endLine > 1) return undefined;
  const plain = nearest.comments.findLastIndex((comment) => comment.kind === "block");
  return nearest.comments.slice(plain + 1).flatMap((comment) => textLines(comment).map((line) => line.text));
}

/** Drops all from the first line that begins with `@`; markers are read elsewhere. */
function withoutBlockTags(lines: readonly string[]): string[] {
  const tag = lines.findIndex((line) => line.trimStart().startsWith("@"));
  return tag < 0 ? [...lines] : lines.slice(0, tag);
}
