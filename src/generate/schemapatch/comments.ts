import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";

/** Marks comments on the line of their key, so that they can be restored there. */
const LINE = " kubewright-line-comment";

/**
 * Moves comments to the positions where go-yaml keeps them, and removes what it doesn't keep: empty lines, except between
 * comments, and the document start marker.
 */
export function arrangeComments(document: Document, source: string): void {
  const { contents } = document;
  if (document.directives?.docStart === true && contents) joinFirstComment(document, contents);
  if (document.comment && contents && followsDirectly(contents, source)) {
    contents.comment = document.comment;
    document.comment = null;
  }
  if (document.directives) document.directives.docStart = null;
  visit(document, {
    Node(_, node) {
      if (isMap(node) || isSeq(node)) moveCommentsBelow(node, source);
      // A comment between empty lines belongs to the next node, directly above it.
      const first = isCollection(node) && node !== contents;
      if (node.commentBefore && (node.spaceBefore || first))
        node.commentBefore = node.commentBefore.replace(/(?<!\n)\n+$/, "");
      if (!isAlias(node)) node.spaceBefore = false;
      if (node.comment) node.comment = node.comment.replace(/(?<!\n)\n+$/, "");
    },
    Pair: (_, pair) => markLineComment(pair),
  });
}

/**
 * Keeps the position of comments below a value. The library assigns them to the value if they are indented more than the
 * next node.
 */
function moveCommentsBelow(collection: YAMLMap | YAMLSeq, source: string): void {
  const entries = collection.items.map((item) =>
    isPair(item) ? { head: item.key, value: item.value } : { head: item, value: item },
  );
  for (const [index, { value }] of entries.entries()) {
    const next = entries[index + 1]?.head;
    if (!isScalar(value) || !value.comment || !value.range || value.type?.startsWith("BLOCK_")) continue;
    const [, end] = value.range;
    const comment = source.indexOf("#", end);
    const above = source.slice(end, comment);
    if (!above.includes("\n")) continue;
    if (next === undefined) collection.comment = joined(value.comment, collection.comment);
    else if (isNode(next) && !isAlias(next)) {
      // A comment with an empty line below it, and none above it, belongs to the node above.
      const apart = !next.commentBefore && next.spaceBefore === true && !/\n[ \t]*\r?\n/.test(above);
      next.spaceBefore = false;
      next.commentBefore = `${joined(value.comment, next.commentBefore)}${apart ? "\n" : ""}`;
    } else continue;
    value.comment = null;
  }
}

function joined(comment: string, more: string | null | undefined): string {
  return more ? `${comment}\n${more}` : comment;
}

/** Moves comments around the document start marker directly above the first key. */
function joinFirstComment(document: Document, contents: Node): void {
  if (contents.commentBefore) contents.commentBefore = contents.commentBefore.replace(/(?<!\n)\n+$/, "");
  else {
    contents.commentBefore = document.commentBefore;
    document.commentBefore = null;
  }
}

/** Returns whether the comment after the contents follows them without an empty line. */
function followsDirectly(contents: Node, source: string): boolean {
  const comment = source.indexOf("#", contents.range?.[1] ?? 0);
  return !/\n[ \t]*\r?\n[ \t]*$/.test(source.slice(0, comment));
}

/** Marks a comment on the line of a key with an indented block: the library would move it to its own line. */
function markLineComment({ value, srcToken }: Pair): void {
  if (!isCollection(value) || value.flow || !value.commentBefore || !srcToken) return;
  const separators = srcToken.sep ?? [];
  const newline = separators.findIndex(({ type }) => type === "newline");
  const comment = separators.findIndex(({ type }) => type === "comment");
  if (comment >= 0 && (newline < 0 || comment < newline)) value.commentBefore = `${LINE}${value.commentBefore}`;
}

/** Returns the comment on the line of a node's key; other comments are lost with the node. */
export function takeLineComment(node: Node): [] | [string] {
  const before = node.commentBefore;
  if (!before?.startsWith(LINE)) return [];
  return [before.slice(LINE.length).split("\n", 1)[0] as string];
}

/** Moves comments back to the lines of their keys. */
export function restoreLineComments(text: string): string {
  return text.replace(new RegExp(`\\n *#${LINE}`, "g"), " #");
}
