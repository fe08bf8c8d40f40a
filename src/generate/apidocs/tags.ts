// JSDoc tags that only the documentation reads.
import { textLines } from "../source/comments.ts";
import type { RawComment } from "../source/model.ts";

/** Returns the text of a block tag in JSDoc comments, on one line; undefined without the tag. */
export function tagText(comments: readonly RawComment[], tag: string): string | undefined {
  for (const comment of comments) {
    if (comment.kind !== "jsdoc" || !comment.text.includes(`@${tag}`)) continue;
    const lines = textLines(comment).map(({ text }) => text.trim());
    const start = lines.findIndex((line) => line === `@${tag}` || line.startsWith(`@${tag} `));
    if (start < 0) continue;
    const rest = lines.slice(start + 1);
    const end = rest.findIndex((line) => line === "" || line.startsWith("@") || line.startsWith("+"));
    return [lines[start]!.slice(tag.length + 1), ...rest.slice(0, end < 0 ? undefined : end)].join(" ").trim();
  }
  return undefined;
}

/** Returns whether a declaration has the tag `@internal`. */
export function isInternal({ leading }: { readonly leading: readonly RawComment[] }): boolean {
  return tagText(leading, "internal") !== undefined;
}
