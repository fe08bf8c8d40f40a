import type { Comment, Span } from "oxc-parser";
import type { Position, RawComment } from "../model.ts";

/** The file that is being read, as all parts of the reader need it. */
export interface ReadContext {
  readonly path: string;
  readonly text: string;
  /** In source order. */
  readonly comments: readonly Comment[];
  /** Offsets at which lines begin, in order. */
  readonly lineStarts: readonly number[];
  /** Records syntax that this reader can't handle, so that the complete reader reads the file. */
  readonly unsettled: (syntax: string) => void;
}

/** Returns the offsets at which lines begin, by TypeScript's definition of a line. */
export function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (const {
    index,
    0: { length },
  } of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g))
    starts.push(index + length);
  return starts;
}

/** Returns the number of items that pass a test, by binary search. In the ordered list, those that pass must come first. */
function countWhile<T>(items: readonly T[], passes: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the position of an offset. */
export function positionOf({ path, lineStarts }: ReadContext, offset: number): Position {
  const line = countWhile(lineStarts, (start) => start <= offset);
  return Object.freeze({ file: path, line, column: offset - (lineStarts[line - 1] ?? 0) + 1 });
}

/** Returns the text of a node, as written. */
export function textOf({ text }: ReadContext, node: Span): string {
  return text.slice(node.start, node.end);
}

/**
 * Returns the comments before an offset that are after the line on which the previous token ends. Parameters are often on
 * one line, so JSDoc on that line is included for them, as in TypeScript.
 */
export function leadingComments(context: ReadContext, offset: number, isParameter = false): RawComment[] {
  const { text, comments } = context;
  let first = countWhile(comments, (comment) => comment.end <= offset);
  const end = first;
  let start = offset;
  while (first > 0) {
    const comment = comments[first - 1] as Comment;
    if (text.slice(comment.end, start).trim() !== "") break;
    start = comment.start;
    first--;
  }
  if (first === end) return [];
  const tokenEnd = text.slice(0, start).trimEnd().length;
  let apart = tokenEnd === 0 || hasLineBreak(text.slice(tokenEnd, start));
  const found: RawComment[] = [];
  for (let index = first; index < end; index++) {
    const comment = comments[index] as Comment;
    const raw = rawComment(context, comment);
    if (apart || (isParameter && raw.kind === "jsdoc")) found.push(raw);
    if (!apart) apart = hasLineBreak(text.slice(comment.end, comments[index + 1]?.start ?? offset));
  }
  return found;
}

/** Returns the comments after an offset on its line, as an object to spread; an empty object if there are none. */
export function trailingComments(context: ReadContext, offset: number): { trailing?: readonly RawComment[] } {
  const { text, comments } = context;
  const trailing: RawComment[] = [];
  let end = offset;
  for (let index = countWhile(comments, ({ start }) => start < offset); index < comments.length; index++) {
    const comment = comments[index] as Comment;
    const between = text.slice(end, comment.start);
    if (between.trim() !== "" || hasLineBreak(between)) break;
    trailing.push(rawComment(context, comment));
    end = comment.end;
  }
  return trailing.length === 0 ? {} : { trailing: Object.freeze(trailing) };
}

/**
 * Returns the comments in braces that belong to no property: after the opening brace, and between the last property and the
 * closing brace.
 */
export function commentsInside(context: ReadContext, body: Span): { inside?: readonly RawComment[] } {
  const behind = trailingComments(context, body.start + 1).trailing ?? [];
  const last = leadingComments(context, body.end - 1);
  return asInside([...behind, ...last]);
}

/** Returns all comments in the braces of an enum, except those inside its members. */
export function commentsBetween(
  context: ReadContext,
  body: Span & { readonly members: readonly Span[] },
): { inside?: readonly RawComment[] } {
  const { comments } = context;
  const first = countWhile(comments, ({ start }) => start < body.start);
  const within = comments.slice(
    first,
    countWhile(comments, ({ start }) => start < body.end),
  );
  const between = within.filter(
    ({ start }) => !body.members.some((member) => member.start < start && start < member.end),
  );
  return asInside(between.map((comment) => rawComment(context, comment)));
}

function asInside(comments: readonly RawComment[]): { inside?: readonly RawComment[] } {
  return comments.length === 0 ? {} : { inside: Object.freeze(comments) };
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}

function rawComment(context: ReadContext, comment: Comment): RawComment {
  const text = textOf(context, comment);
  const jsdoc = text.startsWith("/**") && text !== "/**/";
  return Object.freeze({
    kind: comment.type === "Line" ? "line" : jsdoc ? "jsdoc" : "block",
    text,
    at: positionOf(context, comment.start),
    endLine: positionOf(context, comment.end).line,
  } satisfies RawComment);
}
