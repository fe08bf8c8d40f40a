import { boilerplatePath, withHeadOf, withYearOf } from "../boilerplate.ts";
import { type Merged, merge } from "../merge.ts";
import { operationsTo } from "../operation.ts";
import { pack, pristineFiles, pristinePath, readPristine } from "../pristine.ts";
import { ScaffoldError } from "../scaffold-error.ts";
import type { Tree } from "../tree.ts";
import type { UpgradePlan } from "../upgrade.ts";
import { renaming } from "./controller-name.ts";
import { markerScope } from "./marker-scope.ts";
import type { Move } from "./moves.ts";

/** How a project is to become what PROJECT will say. */
export interface Relayout {
  /** What would be scaffolded for the project as it is, by path. */
  readonly before: ReadonlyMap<string, string>;
  /** What would be scaffolded for it as it will be. */
  readonly after: ReadonlyMap<string, string>;
  readonly move: Move;
  /** The text of a file as it is where it will be, before what is scaffolded changes: its imports lead to the new places. */
  readonly redirect: (path: string, text: string) => string;
  /** The head of the source files that would be scaffolded, empty for none. */
  readonly header: string;
  /** Whether a source file has another head than the license gave it: the author has changed the one or the other by hand. */
  readonly hasOtherHead: (path: string, text: string) => boolean;
  /** The project's files that lie on disk. */
  readonly files: readonly string[];
  /** The new text of PROJECT. */
  readonly projectText: string;
}

/**
 * The plan that turns a project into what would have been scaffolded with other options. Files move; what differs between
 * the two is merged into them, so that the user's changes stay. What the user deleted stays deleted.
 *
 * @throws ScaffoldError when a file is in the way of one that moves
 */
export function planRelayout(tree: Tree, relayout: Relayout): UpgradePlan {
  const { before, after, move, redirect, header, hasOtherHead, files, projectText } = relayout;
  const texts = new Map<string, string | Uint8Array>([["PROJECT", projectText]]);
  const [gone, conflicts, notes, blocked]: [Set<string>, string[], string[], string[]] = [new Set(), [], [], []];
  const present = new Set(files);

  /** What becomes of a scaffolded text; undefined when it belongs to the project no longer. */
  const joined = (path: string, text: string): Merged | undefined => {
    const [old, will] = [before.get(path) ?? text, after.get(move(path))];
    if (will === undefined) return undefined;
    const { rescope } = markerScope(old, will);
    const rename = renaming(old, will);
    // The license is the author's, whatever was scaffolded.
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
      // What isn't changed may be anything: it moves as the bytes that it is.
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
    } else if (text === before.get(path) || text === readPristine(tree, path)) gone.add(path);
    else notes.push(`${path} no longer belongs to the project: it is kept, because it has your changes`);
  }
  if (blocked.length > 0) {
    throw new ScaffoldError(
      "file-exists",
      `${blocked.join(", ")} exists, and a file would move there`,
      "move it to another place first",
    );
  }
  const copies = pristineFiles(tree);
  const came = new Set(copies.map(move));
  for (const path of copies) {
    const merged = joined(path, readPristine(tree, path) ?? "");
    if (merged === undefined || move(path) !== path) gone.add(pristinePath(path));
    if (merged !== undefined) texts.set(pristinePath(move(path)), pack(merged.text));
  }
  for (const [path, text] of after) {
    if (came.has(path) || before.has(path)) continue;
    if (present.has(path)) notes.push(`${path} is yours and stays as it is`);
    else texts.set(path, text);
    texts.set(pristinePath(path), pack(text));
  }
  return {
    root: tree.root,
    operations: operationsTo(tree, texts, gone),
    kept: [],
    overwritten: [],
    notes,
    conflicts: conflicts.sort(),
  };
}
