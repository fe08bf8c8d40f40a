// The values of enums, with their comments.
import { describingLines, groupComments } from "../source/comments.ts";
import { describe } from "../source/description.ts";
import type { Documented, RawComment, TypeDeclaration, TypeExpr } from "../source/model.ts";
import type { Sources } from "../source/sources.ts";

/** The descriptions of values, by value. */
export type ValueDescriptions = ReadonlyMap<string, string>;

/** Maximum number of names that are followed to the declaration of a value. */
const longestChain = 20;

/** Returns the descriptions of the values of an enum, or of a union of literals. */
export function valueDescriptions(
  start: TypeDeclaration | TypeExpr,
  sources: Sources,
  left = longestChain,
): ValueDescriptions {
  const values = new Map<string, string>();
  if (left === 0) return values;
  const add = (value: string, comments: Documented, line?: number) => {
    const description = descriptionOf(comments, line);
    if (description !== "" && !values.has(value)) values.set(value, description);
  };
  if (start.kind === "enum") {
    for (const member of start.members) if (member.value !== undefined) add(String(member.value), member);
  } else if (start.kind === "alias") return valueDescriptions(start.type, sources, left - 1);
  else if (start.kind === "union") {
    for (const type of start.types) {
      if (type.kind === "literal") add(String(type.value), type, type.at.line);
      else
        for (const [value, text] of valueDescriptions(type, sources, left - 1))
          if (!values.has(value)) values.set(value, text);
    }
  } else if (start.kind === "ref") {
    const resolved = sources.resolve(start.target);
    if (resolved.kind === "type") return valueDescriptions(resolved.declaration, sources, left - 1);
  }
  return values;
}

/** Returns the comment before a value or, without one, the comment behind it. */
function descriptionOf({ leading = [], trailing = [] }: Documented, line?: number): string {
  const of = (comments: readonly RawComment[], next?: number) => {
    const groups = groupComments(comments);
    return describe(describingLines(groups, next ?? (groups.at(-1)?.endLine ?? 0) + 1) ?? []);
  };
  return of(leading, line) || of(trailing);
}
