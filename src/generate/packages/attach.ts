import type { MarkerTarget, Registry } from "../markers/index.ts";
import { type CommentGroup, describingLines, groupComments, type MarkerLine, markersIn } from "../source/comments.ts";
import type { RawComment } from "../source/model.ts";

/** The comments of a declaration by role. */
export interface AttachedComments {
  /** Markers of the declaration. */
  readonly own: readonly MarkerLine[];
  /** Markers that apply to the package although they are on this declaration. */
  readonly package: readonly MarkerLine[];
  /** The lines of the description, without comment signs. */
  readonly description: readonly string[] | undefined;
}

/** Returns whether a marker always applies to the package. */
export function isPackageWide(text: string, registry: Registry): boolean {
  return registry.lookup(text, "package")?.isPackageWide === true;
}

/**
 * Assigns the comments above a declaration. `target` is the target of its markers; a marker in a separate comment that is
 * only valid on packages applies to the package.
 */
export function attachComments(
  leading: readonly RawComment[],
  nodeLine: number,
  target: Exclude<MarkerTarget, "option" | "package"> | undefined,
  registry: Registry,
  isFirstInFile: boolean,
): AttachedComments {
  const groups = groupComments(leading);
  const head = isFirstInFile && standsApart(groups, nodeLine) ? groups.slice(0, 1) : [];
  const rest = groups.slice(head.length);
  const doc = documenting(rest, nodeLine);
  const near = rest.length - (doc ? 1 : 0) - 1;
  const own: MarkerLine[] = [];
  const forPackage: MarkerLine[] = [];
  const sort = (group: CommentGroup, positionSays: "package" | "own" | "doc") => {
    for (const line of markersIn(group.comments)) {
      const ofPackage = registry.lookup(line.text, "package") !== undefined;
      const ofTarget = target !== undefined && registry.lookup(line.text, target) !== undefined;
      const promoted =
        isPackageWide(line.text, registry) ||
        (ofPackage && positionSays !== "doc" && (!ofTarget || positionSays === "package"));
      (promoted ? forPackage : own).push(line);
    }
  };
  for (const group of head) sort(group, "package");
  for (const [index, group] of rest.entries()) {
    sort(group, group === doc ? "doc" : index >= near ? "own" : "package");
  }
  return { own, package: forPackage, description: describingLines(rest, nodeLine) };
}

/** Returns whether an empty line follows the first group. */
function standsApart(groups: readonly CommentGroup[], nodeLine: number): boolean {
  const first = groups[0];
  return first !== undefined && (groups[1]?.line ?? nodeLine) - first.endLine > 1;
}

/** Returns the group directly above, or the last one if it has JSDoc: the equivalent of Go's doc comment. */
function documenting(groups: readonly CommentGroup[], nodeLine: number): CommentGroup | undefined {
  const last = groups.at(-1);
  if (!last) return undefined;
  const adjacent = nodeLine - last.endLine <= 1;
  return adjacent || last.comments.some((comment) => comment.kind === "jsdoc") ? last : undefined;
}
