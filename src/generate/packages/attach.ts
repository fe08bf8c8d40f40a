import type { MarkerTarget, Registry } from "../markers/index.ts";
import { type CommentGroup, describingLines, groupComments, type MarkerLine, markersIn } from "../source/comments.ts";
import type { RawComment } from "../source/model.ts";

/** The comments of a declaration, told apart. */
export interface AttachedComments {
  /** Markers of the declaration. */
  readonly own: readonly MarkerLine[];
  /** Markers that hold for the package although they stand here. */
  readonly package: readonly MarkerLine[];
  /** What describes the declaration, as written but without comment signs. */
  readonly description: readonly string[] | undefined;
}

/** These hold for the package wherever they stand: Go's users trip over it when they don't. */
const packageWide = new Set([
  "kubebuilder:rbac",
  "kubebuilder:webhook",
  "kubebuilder:webhookconfiguration",
  "groupName",
  "versionName",
]);

/** Whether a marker holds for the package wherever it stands. */
export function isPackageWide(text: string, registry: Registry): boolean {
  const definition = registry.lookup(text, "package");
  return definition !== undefined && packageWide.has(definition.name);
}

/**
 * Says which of the comments above a declaration are its own. `target` is what its markers have to be made for;
 * a marker that stands apart and is only made for packages is the package's.
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

/** Whether a blank line follows the first group. */
function standsApart(groups: readonly CommentGroup[], nodeLine: number): boolean {
  const first = groups[0];
  return first !== undefined && (groups[1]?.line ?? nodeLine) - first.endLine > 1;
}

/** The group directly above, or the one with the last JSDoc: what Go would call the declaration's own comment. */
function documenting(groups: readonly CommentGroup[], nodeLine: number): CommentGroup | undefined {
  const last = groups.at(-1);
  if (!last) return undefined;
  const adjacent = nodeLine - last.endLine <= 1;
  return adjacent || last.comments.some((comment) => comment.kind === "jsdoc") ? last : undefined;
}
