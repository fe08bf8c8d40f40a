import { ts } from "ts-morph";
import type { Position, RawComment } from "../model.ts";

/** The file that is being read, as all parts of the reader need it. */
export interface ReadContext {
  readonly file: ts.SourceFile;
  readonly path: string;
}

/** Returns the position of an offset. */
export function positionOf(context: ReadContext, offset: number): Position {
  const { line, character } = context.file.getLineAndCharacterOfPosition(offset);
  return Object.freeze({ file: context.path, line: line + 1, column: character + 1 });
}

/** Returns the position of a node's first token. */
export function startOf(context: ReadContext, node: ts.Node): Position {
  return positionOf(context, node.getStart(context.file, false));
}

/** Returns the comments before a node that are after the line on which the previous token ends. */
export function leadingComments(context: ReadContext, fullStart: number): RawComment[] {
  const { file } = context;
  return commentsIn(context, ts.getLeadingCommentRanges(file.text, fullStart));
}

/** Returns the same for a parameter, including JSDoc on the line of the previous token, as in TypeScript. */
export function parameterComments(context: ReadContext, fullStart: number): RawComment[] {
  const before = commentsIn(context, ts.getTrailingCommentRanges(context.file.text, fullStart));
  return [...before.filter(({ kind }) => kind === "jsdoc"), ...leadingComments(context, fullStart)];
}

/** Returns the comments after an offset on its line, as an object to spread; an empty object if there are none. */
export function trailingComments(context: ReadContext, end: number): { trailing?: readonly RawComment[] } {
  const trailing = commentsIn(context, ts.getTrailingCommentRanges(context.file.text, end));
  return trailing.length === 0 ? {} : { trailing: Object.freeze(trailing) };
}

/**
 * Returns the comments in braces that belong to no property: after the opening brace, and between the last property and the
 * closing brace.
 */
export function commentsInside(
  context: ReadContext,
  { pos, end }: ts.NodeArray<ts.Node>,
): { inside?: readonly RawComment[] } {
  return asInside([...(trailingComments(context, pos).trailing ?? []), ...leadingComments(context, end)]);
}

/** Returns all comments in the braces of an enum, except those inside its members. */
export function commentsBetween(
  context: ReadContext,
  members: ts.NodeArray<ts.Node>,
): { inside?: readonly RawComment[] } {
  const { file } = context;
  const gaps = [members.pos, ...members.map((member) => member.getEnd())];
  const comments = gaps.flatMap((start) => {
    const before = allComments(context, start);
    const rest = file.text.slice(start).replace(/^(?:\s+|\/\/.*|\/\*[\s\S]*?\*\/)*/, "");
    return rest.startsWith(",") ? [...before, ...allComments(context, file.text.length - rest.length + 1)] : before;
  });
  return asInside(comments);
}

function allComments(context: ReadContext, start: number): RawComment[] {
  return [...(trailingComments(context, start).trailing ?? []), ...leadingComments(context, start)];
}

function asInside(comments: readonly RawComment[]): { inside?: readonly RawComment[] } {
  return comments.length === 0 ? {} : { inside: Object.freeze(comments) };
}

function commentsIn(context: ReadContext, ranges: readonly ts.CommentRange[] = []): RawComment[] {
  const { file } = context;
  return ranges.map((range) => {
    const text = file.text.slice(range.pos, range.end);
    const jsdoc = text.startsWith("/**") && text !== "/**/";
    const kind = range.kind === ts.SyntaxKind.SingleLineCommentTrivia ? "line" : jsdoc ? "jsdoc" : "block";
    return Object.freeze({
      kind,
      text,
      at: positionOf(context, range.pos),
      endLine: positionOf(context, range.end).line,
    } satisfies RawComment);
  });
}
