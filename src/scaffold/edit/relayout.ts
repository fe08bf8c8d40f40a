import { boilerplatePath, withHeadOf, withYearOf } from "../boilerplate.ts";
import { type Merged, merge } from "../merge.ts";
import { operationsTo } from "../operation.ts";
import { changePristine, isOfChart, pristineTexts } from "../pristine.ts";
import { ScaffoldError } from "../scaffold-error.ts";
import type { Tree } from "../tree.ts";
import type { MergePlan } from "../upgrade.ts";
import { renaming } from "./controller-name.ts";
import { markerScope } from "./marker-scope.ts";
import type { Move } from "./moves.ts";

/** The input for changing a project's layout or options. */
export interface Relayout {
  /** The scaffolded texts of the current project, by path. */
  readonly before: ReadonlyMap<string, string>;
  /** The scaffolded texts of the changed project, by path. */
  readonly after: ReadonlyMap<string, string>;
  readonly move: Move;
  /**
   * Returns the user's text of a file with imports and header adapted to the new layout, before scaffolded changes are
   * merged.
   */
  readonly redirect: (path: string, text: string) => string;
  /** The license header of scaffolded source files, empty for none. */
  readonly header: string;
  /** Whether a source file has a different header than the license, because the author changed either by hand. */
  readonly hasOtherHead: (path: string, text: string) => boolean;
  /** The project's files on disk. */
  readonly files: readonly string[];
  /** The new text of PROJECT. */
  readonly projectText: string;
}

/**
 * Plans the change of a project into what would have been scaffolded with other options. Files move, and the scaffolded
 * differences are merged into them, so that the user's changes stay. Deleted files stay deleted.
 *
 * @throws ScaffoldError if a file already exists at the destination of a move
 */
export function planRelayout(tree: Tree, relayout: Relayout): MergePlan {
  const { before, after, move, redirect, header, hasOtherHead, files, projectText } = relayout;
  const texts = new Map<string, string | Uint8Array>([["PROJECT", projectText]]);
  const [gone, conflicts, notes, blocked]: [Set<string>, string[], string[], string[]] = [new Set(), [], [], []];
  const present = new Set(files);
  const pristine = pristineTexts(tree);

  /** Returns the merged form of a scaffolded text; undefined if the file no longer belongs to the project. */
  const joined = (path: string, text: string): Merged | undefined => {
    const [old, will] = [before.get(path) ?? text, after.get(move(path))];
    if (will === undefined) return undefined;
    const { rescope } = markerScope(old, will);
    const rename = renaming(old, will);
    // The license belongs to the author, so it is replaced instead of merged.
    if (path === boilerplatePath) return { text: will, conflicts: 0 };
    const settled = (before: string) => rename(rescope(redirect(path, before)));
    const yours = settled(text);
    const headed = (scaffolded: string) =>
      hasOtherHead(path, text) ? withHeadOf(yours, scaffolded, header) : withYearOf(text, scaffolded);
    return merge(headed(settled(withYearOf(text, old))), yours, headed(will));
  };
  const carry = (path: string, merged: Merged, bytes: string | Uint8Array) => {
    const destination = move(path);
    if (merged.conflicts > 0) conflicts.push(destination);
    if (destination !== path) {
      if (present.has(destination) && move(destination) === destination) blocked.push(destination);
      gone.add(path);
    }
    texts.set(destination, bytes);
  };

  for (const path of files) {
    const text = tree.readText(path) ?? "";
    if (!before.has(path)) {
      const own = redirect(path, text);
      // A file without changes may be binary, so move its bytes.
      if (own !== text || move(path) !== path) {
        carry(path, { text: own, conflicts: 0 }, own === text ? (tree.read(path) ?? text) : own);
      }
      continue;
    }
    const merged = joined(path, text);
    if (merged !== undefined) {
      carry(path, merged, merged.text);
      if (markerScope(before.get(path) ?? "", after.get(move(path)) ?? "").leavesOthers(text)) {
        notes.push(`${move(path)}: your RBAC markers are kept as they are: add namespace= to generate a Role from one`);
      }
    } else if (text === before.get(path) || text === pristine.get(path)) gone.add(path);
    else notes.push(`${path} no longer belongs to the project: it is kept, because it has your changes`);
  }
  if (blocked.length > 0) {
    throw new ScaffoldError(
      "file-exists",
      `${blocked.join(", ")} exists, and a file would move there`,
      "move it to another place first",
    );
  }
  const copies = new Map<string, string>();
  const came = new Set([...pristine.keys()].map(move));
  for (const [path, text] of pristine) {
    const merged = isOfChart(path) ? { text } : joined(path, text);
    if (merged !== undefined) copies.set(move(path), merged.text);
  }
  for (const [path, text] of after) {
    if (came.has(path) || before.has(path)) continue;
    if (present.has(path)) notes.push(`${path} is yours and stays as it is`);
    else texts.set(path, text);
    copies.set(path, text);
  }
  const archive = changePristine(tree, copies, pristine.keys());
  for (const [path, text] of archive.contents) texts.set(path, text);
  for (const path of archive.gone) gone.add(path);
  return {
    root: tree.root,
    operations: operationsTo(tree, texts, gone),
    kept: [],
    overwritten: [],
    notes,
    conflicts: conflicts.sort(),
  };
}
